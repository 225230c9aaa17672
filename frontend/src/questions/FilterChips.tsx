import type { Clause } from "../links/clause";
import { printClause } from "../links/clause";
import type { Words } from "../figures/words";
import styles from "./FilterChips.module.css";
import type { FilterText } from "../figures/filters";

interface Props {
  where: Clause[];
  words: Words;
  /** Return a filter's text. */
  textOf: (clause: Clause) => FilterText;
  /** Whether more filters are about to arrive: hide all until then, so that none moves. */
  unsettled?: boolean | undefined;
  onReplace: (clauses: Clause[], next: Clause[]) => void;
}

/** Active filters, one chip per dimension. Each value can be inverted or removed. */
export function FilterChips({ where, words, textOf, unsettled, onReplace }: Props) {
  if (where.length === 0) return null;
  const byDimension = Map.groupBy(where, ({ dimension }) => dimension);
  return (
    <ul
      className={styles.chips}
      aria-label="Filters in force"
      data-unsettled={unsettled || undefined}
    >
      {[...byDimension].map(([name, clauses]) => (
        <li key={name} className={styles.chip}>
          <span className={styles.dimension}>
            <bdi>{words.dimensionTitle(name)}</bdi>
          </span>
          {conditionsOf(textOf, clauses).map((condition, index, all) => (
            <Part
              key={condition.clauses.map(printClause).join()}
              dimension={words.dimensionTitle(name)}
              condition={condition}
              before={all[index - 1]}
              onReplace={onReplace}
            />
          ))}
          {conditionsOf(textOf, clauses).length > 1 ? (
            <button
              type="button"
              className={`act ${styles.any}`}
              aria-label={`Any ${words.dimensionInside(name)}: remove its filters`}
              onClick={() => onReplace(clauses, [])}
            >
              Any
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/**
 * Clauses with the same text count as one condition: not unstated and not unknown are both "known".
 */
interface Condition {
  clauses: Clause[];
  op: Clause["op"];
  verb: string;
  value: string;
}

/** Conditions: included before excluded, stated before unstated. */
function conditionsOf(textOf: Props["textOf"], clauses: Clause[]): Condition[] {
  const byText = Map.groupBy(clauses, (clause) => {
    const { verb, value } = textOf(clause);
    return JSON.stringify([clause.op === "not", verb, value]);
  });
  return [...byText]
    .map(([text, clausesOfText]): Condition => {
      const [isExcluded, verb, value] = JSON.parse(text) as [boolean, string, string];
      return { clauses: clausesOfText, op: isExcluded ? "not" : "is", verb, value };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ op, clauses }: Condition) => (op === "not" ? 2 : Number(clauses[0]?.value === ""));

interface PartProps {
  dimension: string;
  condition: Condition;
  /** The previous condition in the chip, whose verb it may share. */
  before: Condition | undefined;
  onReplace: Props["onReplace"];
}

function Part({
  dimension,
  condition: { clauses, op, verb, value },
  before,
  onReplace,
}: PartProps) {
  const turned = op === "is" ? "not" : "is";
  const instead = op === "is" ? "exclude it instead" : "include it instead";
  const isSame = before?.op === op && before.verb === verb;
  const verbText = isSame ? (verb === "is" ? "or" : "nor") : before ? `and ${verb}` : verb;
  return (
    <span className={styles.condition}>
      <button
        type="button"
        className={styles.turn}
        title={op === "is" ? "Exclude it instead" : "Include it instead"}
        // The accessible name contains the visible text, for voice control.
        aria-label={`${dimension} ${verbText} ${value}: ${instead}`}
        onClick={() =>
          onReplace(
            clauses,
            clauses.map((clause) => ({ ...clause, op: turned })),
          )
        }
      >
        {verbText}
      </button>
      <bdi>{value}</bdi>
      <button
        type="button"
        className={styles.remove}
        aria-label={`Remove the filter ${dimension} ${verb} ${value}`}
        onClick={() => onReplace(clauses, [])}
      >
        ×
      </button>
    </span>
  );
}
