import { useState } from "react";
import type { Facet as FacetShape, Facets as FacetsShape } from "../api/types";
import { Breakable } from "../ui/Breakable";
import { count, counted } from "../ui/format";
import { type Clause, rangeOf } from "../links/clause";
import type { Words } from "../figures/words";
import styles from "./Facets.module.css";
import type { FilterText } from "../figures/filters";
import { LabelFilter } from "./LabelFilter";
import { RangeFacet } from "./RangeFacet";

interface Props {
  facets: FacetsShape;
  where: Clause[];
  words: Words;
  /** Return a filter's text. */
  textOf: (clause: Clause) => FilterText;
  /** Path of the page, which opens with its own filters. */
  page: string;
  onToggle: (clause: Clause) => void;
  onReplace: (clause: Clause, next?: Clause) => void;
}

/** Number of values shown before "more". */
const SHOWN = 8;
/** Number of numeric values above which a range is chosen instead. */
const LISTED = 12;

/** Number of values above which the list can be searched. */
const SEARCHED = 12;

/** Number of dimensions shown at once; those in force are always. */
const USEFUL = 5;

/** Every dimension that could narrow the question, with its values and their numbers of runs. */
export function Facets({ facets, where, words, textOf, page, onToggle, onReplace }: Props) {
  const filtered = new Set(where.map(({ dimension }) => dimension));
  const open = words.openOn(page);
  const useful = facets.dimensions
    .filter(
      ({ name, values }) =>
        filtered.has(name) || (values.length > 1 && !words.has(name, "repeated")),
    )
    .toSorted(
      (a, b) =>
        place(open, a.name) - place(open, b.name) ||
        words.dimensionRank(a.name) - words.dimensionRank(b.name),
    );
  const isFirst = ({ name }: FacetShape, at: number) => at < USEFUL || filtered.has(name);
  const rest = useful.filter((dimension, at) => !isFirst(dimension, at));
  const facet = (dimension: FacetShape) => (
    <Facet
      key={dimension.name}
      dimension={dimension}
      where={where.filter((clause) => clause.dimension === dimension.name)}
      words={words}
      textOf={textOf}
      startsOpen={open.includes(dimension.name) || filtered.has(dimension.name)}
      onToggle={onToggle}
      onReplace={onReplace}
    />
  );
  return (
    <div>
      {useful.filter(isFirst).map(facet)}
      {rest.length > 0 ? (
        <details className={styles.rest}>
          <summary>{counted(rest.length, "more filter")}</summary>
          {rest.map(facet)}
        </details>
      ) : null}
      {facets.total > 0 ? (
        <LabelFilter
          onAdd={(clause) => {
            if (!filtered.has(clause.dimension)) onToggle(clause);
          }}
        />
      ) : null}
    </div>
  );
}

function place(order: readonly string[], name: string): number {
  const rank = order.indexOf(name);
  return rank < 0 ? order.length : rank;
}

interface FacetProps extends Pick<Props, "textOf"> {
  dimension: FacetShape;
  where: Clause[];
  words: Words;
  startsOpen: boolean;
  onToggle: (clause: Clause) => void;
  onReplace: (clause: Clause, next?: Clause) => void;
}

function Facet({
  dimension: { name, values },
  where,
  words,
  textOf,
  startsOpen,
  onToggle,
  onReplace,
}: FacetProps) {
  const [all, setAll] = useState(false);
  const [query, setQuery] = useState("");
  const sorted = values.toSorted((a, b) => a.place - b.place);
  const asRange =
    words.isNumber(name) && (values.length > LISTED || where.some(({ value }) => rangeOf(value)));
  const title = words.dimensionTitle(name);
  const matches = sorted.filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()));
  const isChosen = (value: FacetShape["values"][number]["value"]) =>
    where.some(({ op, value: taken }) => op === "is" && taken === String(value ?? ""));
  // Always show chosen values, however far down the list.
  const shownValues =
    all || query ? matches : matches.filter(({ value }, at) => at < SHOWN || isChosen(value));
  const knownValues = new Set(sorted.map(({ value }) => (value === null ? "" : String(value))));
  // A filter on a value without runs must still be visible and removable.
  const stray = where.filter((clause) => clause.op === "is" && !knownValues.has(clause.value));
  return (
    <details className={styles.facet} open={startsOpen}>
      <summary>
        <bdi>{words.dimensionTitle(name)}</bdi>
        {where.length > 0 ? <span className={styles.inForce}>{where.length} chosen</span> : null}
      </summary>
      {asRange ? (
        <RangeFacet name={name} values={sorted} where={where} onReplace={onReplace} />
      ) : (
        <div role="group" aria-label={title}>
          {sorted.length > SEARCHED ? (
            <input
              className={`field ${styles.find}`}
              type="search"
              aria-label={`Find in ${title}`}
              placeholder="Find"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          ) : null}
          <ul>
            {shownValues.map(({ value, runs, text }) => {
              const clause: Clause = {
                dimension: name,
                op: "is",
                value: value === null ? "" : String(value),
              };
              return (
                <Value
                  key={clause.value}
                  text={text}
                  runs={runs}
                  checked={where.some(
                    ({ op, value: taken }) => op === "is" && taken === clause.value,
                  )}
                  onChange={() => onToggle(clause)}
                />
              );
            })}
            {stray.map((clause) => (
              <Value
                key={clause.value}
                text={textOf(clause).value}
                runs={0}
                checked
                onChange={() => onToggle(clause)}
              />
            ))}
          </ul>
          {shownValues.length === 0 && stray.length === 0 ? (
            <p className={styles.none}>Nothing found</p>
          ) : null}
        </div>
      )}
      {!asRange && !query && sorted.length > SHOWN ? (
        <button type="button" className={`act ${styles.more}`} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${sorted.length - SHOWN} more`}
        </button>
      ) : null}
    </details>
  );
}

interface ValueProps {
  text: string;
  runs: number;
  checked: boolean;
  onChange: () => void;
}

function Value({ text, runs, checked, onChange }: ValueProps) {
  return (
    <li>
      <label className={styles.value}>
        <input type="checkbox" checked={checked} onChange={onChange} />
        <bdi>
          <Breakable text={text} />
        </bdi>
        <span className={styles.runs}>
          {count(runs)}
          <span className="visually-hidden">{runs === 1 ? " run" : " runs"}</span>
        </span>
      </label>
    </li>
  );
}
