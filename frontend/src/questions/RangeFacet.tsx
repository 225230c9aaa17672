import { useId } from "react";
import type { Facet } from "../api/types";
import { type Clause, printRange, type Range, rangeOf } from "../links/clause";
import styles from "./Facets.module.css";

interface Props {
  name: string;
  values: Facet["values"];
  where: Clause[];
  onReplace: (clause: Clause, next?: Clause) => void;
}

const read = (text: string) => (text === "" ? undefined : Number(text));

/** A range between two existing values: no runs lie between values. */
export function RangeFacet({ name, values, where, onReplace }: Props) {
  const id = useId();
  const numbers = values.flatMap(({ value, text }) =>
    typeof value === "number" ? [{ value, text }] : [],
  );
  const current = where.find((clause) => clause.op === "is" && rangeOf(clause.value));
  const range = current ? (rangeOf(current.value) ?? {}) : {};
  const choose = (change: Range) => {
    const next = { ...range, ...change };
    const empty: Clause = { dimension: name, op: "is", value: "" };
    const open = next.low === undefined && next.high === undefined;
    onReplace(current ?? empty, open ? undefined : { ...empty, value: printRange(next) });
  };
  const options = (label: string) => [
    <option key="" value="">
      {label}
    </option>,
    ...numbers.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    )),
  ];
  return (
    <div className={styles.range}>
      <label htmlFor={`${id}low`}>from</label>
      <select
        id={`${id}low`}
        className="field"
        value={range.low ?? ""}
        onChange={(event) => choose({ low: read(event.target.value) })}
      >
        {options("any")}
      </select>
      <label htmlFor={`${id}high`}>to</label>
      <select
        id={`${id}high`}
        className="field"
        value={range.high ?? ""}
        onChange={(event) => choose({ high: read(event.target.value) })}
      >
        {options("any")}
      </select>
    </div>
  );
}
