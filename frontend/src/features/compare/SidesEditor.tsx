import { type Clause, printClause } from "../../links/clause";
import { MOST_SIDES, metricParts, type Sides, withoutSide, withSide } from "../../links/sides";
import type { Words } from "../../figures/words";
import { type Filters, useFilters } from "../../figures/filters";
import { AddFilter, FilterList } from "./AddFilter";
import styles from "./Compare.module.css";
import { Button } from "../../ui/Button";

interface Props {
  asked: Sides;
  /** The sides' names. */
  names: readonly string[];
  words: Words;
  onAsk: (next: Sides) => void;
}

/** The sides: each with its filters, name and baseline button. */
export function SidesEditor({ asked, names, words, onAsk }: Props) {
  const metrics = [...new Set(asked.metrics.map((text) => metricParts(text).name))];
  const filters = useFilters(
    asked.sides.flatMap(({ where }) => where),
    words,
  );
  const commonDimensions = new Set(asked.where.map(({ dimension }) => dimension));
  return (
    <fieldset className={styles.sides}>
      <legend>What to compare (● baseline)</legend>
      <ol>
        {asked.sides.map((side, index) => {
          const number = index + 1;
          const sideLabel = `side ${number}`;
          // Until the server has named it, show its filters' text: the name must not move the page.
          const filterList = filters.list(side.where);
          const name = side.label ?? names[index] ?? (filterList || `Side ${number}`);
          return (
            <li key={number} className={styles.side}>
              <label className={styles.baseline}>
                <input
                  type="radio"
                  name="baseline"
                  checked={asked.baseline === number}
                  onChange={() => onAsk({ ...asked, baseline: number })}
                />
                <span className="visually-hidden">Baseline:</span>
                <bdi>{name}</bdi>
              </label>
              <div className={styles.filters}>
                <FilterList
                  where={side.where}
                  owner={sideLabel}
                  text={(clause) => filterText(words, clause, filters)}
                  onRemove={(clause) =>
                    onAsk(
                      withSide(asked, number, {
                        ...side,
                        where: side.where.filter(
                          (other) => printClause(other) !== printClause(clause),
                        ),
                      }),
                    )
                  }
                />
                <AddFilter
                  owner={sideLabel}
                  metrics={metrics}
                  where={[...asked.where, ...side.where]}
                  taken={commonDimensions}
                  words={words}
                  onAdd={(clause) =>
                    onAsk(withSide(asked, number, { ...side, where: [...side.where, clause] }))
                  }
                />
              </div>
              <label className={styles.label}>
                <span className="visually-hidden">Name of {sideLabel}</span>
                <input
                  // Reset the field if the address changes the name.
                  key={side.label ?? ""}
                  className="field"
                  defaultValue={side.label ?? ""}
                  placeholder="Name (optional)"
                  maxLength={80}
                  autoComplete="off"
                  onBlur={(event) => {
                    const label = event.target.value.trim() || undefined;
                    if (label !== side.label) onAsk(withSide(asked, number, { ...side, label }));
                  }}
                  onKeyDown={(event) => {
                    if (event.key === "Enter") event.currentTarget.blur();
                  }}
                />
              </label>
              <Button
                asText
                aria-label={`Remove ${sideLabel}, ${name}`}
                onClick={() => onAsk(withoutSide(asked, number))}
              >
                Remove
              </Button>
            </li>
          );
        })}
      </ol>
      {asked.sides.length < MOST_SIDES ? null : (
        <p className="quiet">{MOST_SIDES} sides is the maximum.</p>
      )}
    </fieldset>
  );
}

/** "Storage: USB4"; for a machine, the start of its id. */
export function filterText(words: Words, clause: Clause, { textOf }: Filters): string {
  return `${words.dimensionTitle(clause.dimension)}: ${textOf(clause).inside}`;
}
