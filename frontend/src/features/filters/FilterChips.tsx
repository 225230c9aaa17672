import type { Clause } from "../../links/clause";
import { printClause } from "../../links/clause";
import type { Words } from "../answer/words";
import styles from "./FilterChips.module.css";
import { told } from "./filterWords";

interface Props {
  where: Clause[];
  words: Words;
  onReplace: (clause: Clause, next?: Clause) => void;
  onClear: () => void;
}

/** The filters in force, each to be turned round or removed. */
export function FilterChips({ where, words, onReplace, onClear }: Props) {
  if (where.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters in force">
      {where.map((clause) => {
        const dimension = words.dimensionTitle(clause.dimension);
        const { verb, value } = told(words, clause);
        const turned: Clause = { ...clause, op: clause.op === "is" ? "not" : "is" };
        return (
          <li key={printClause(clause)} className={styles.chip}>
            <span className={styles.dimension}>
              <bdi>{dimension}</bdi>
            </span>
            <button
              type="button"
              className={styles.turn}
              title={clause.op === "is" ? "Exclude it instead" : "Ask for it instead"}
              aria-label={`${dimension} ${verb} ${value}: ${
                clause.op === "is" ? "exclude it instead" : "ask for it instead"
              }`}
              onClick={() => onReplace(clause, turned)}
            >
              {verb}
            </button>
            <bdi>{value}</bdi>
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove the filter ${dimension} ${verb} ${value}`}
              onClick={() => onReplace(clause)}
            >
              ×
            </button>
          </li>
        );
      })}
      {where.length > 1 ? (
        <li>
          <button type="button" className="act" onClick={onClear}>
            Remove all
          </button>
        </li>
      ) : null}
    </ul>
  );
}
