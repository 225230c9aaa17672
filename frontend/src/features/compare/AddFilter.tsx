import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { facetsQuery } from "../../api/queries";
import type { Facets } from "../../api/types";
import { Button } from "../../ui/Button";
import { counted, shortId } from "../../ui/format";
import { type Clause, printClause } from "../../links/clause";
import type { Words } from "../../figures/words";
import styles from "./Compare.module.css";

interface Props {
  /** The filtered thing: "side 2". */
  owner: string;
  metrics: string[];
  /** Present filters: values without matching runs are not offered. */
  where: Clause[];
  /** Dimensions that may not be filtered here. */
  taken: ReadonlySet<string>;
  words: Words;
  onAdd: (clause: Clause) => void;
}

/** A filter chosen in two steps: the dimension, then one of its values. */
export function AddFilter(props: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        asText
        aria-expanded={open}
        aria-controls={id}
        aria-label={`Add a filter to ${props.owner}`}
        onClick={() => setOpen(!open)}
      >
        Add a filter
      </Button>
      <div id={id} hidden={!open} className={styles.adder}>
        {open ? <Chooser {...props} /> : null}
      </div>
    </>
  );
}

function Chooser({ owner, metrics, where, taken, words, onAdd }: Props) {
  // Request facets for a few metrics at most; runs mostly have several of them.
  const facets = useQuery(facetsQuery({ metrics: metrics.slice(0, 4), where, flagged: "include" }));
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const dimensions = offered(facets.data, taken, words);
  const facet = dimensions.find((dimension) => dimension.name === name) ?? dimensions[0];
  const values = (facet?.values ?? []).toSorted((a, b) => a.place - b.place);
  const texts = values.map((item) => (item.value === null ? "" : String(item.value)));
  const picked = texts.includes(value) ? value : (texts[0] ?? "");
  if (!facet) {
    return <span className="quiet">{facets.data ? "No filters available" : " "}</span>;
  }
  return (
    <>
      <label>
        <span className="visually-hidden">Filter {owner} by</span>
        <select
          className="field"
          value={facet.name}
          onChange={(event) => setName(event.target.value)}
        >
          {dimensions.map((dimension) => (
            <option key={dimension.name} value={dimension.name}>
              {words.dimensionTitle(dimension.name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Value for {owner}</span>
        <select className="field" value={picked} onChange={(event) => setValue(event.target.value)}>
          {values.map(({ text, runs }, index) => (
            <option key={texts[index]} value={texts[index]}>
              {shortId(text)}, {counted(runs, "run")}
            </option>
          ))}
        </select>
      </label>
      <Button onClick={() => onAdd({ dimension: facet.name, op: "is", value: picked })}>
        Add to {owner}
      </Button>
    </>
  );
}

function offered(facets: Facets | undefined, taken: ReadonlySet<string>, words: Words) {
  return (facets?.dimensions ?? [])
    .filter(({ name, values }) => !taken.has(name) && values.length > 0)
    .toSorted((a, b) => words.dimensionRank(a.name) - words.dimensionRank(b.name));
}

interface ListProps {
  where: Clause[];
  /** A filter's text: "USB4". */
  text: (clause: Clause) => string;
  owner: string;
  onRemove: (clause: Clause) => void;
}

/** Filters with remove buttons. */
export function FilterList({ where, text, owner, onRemove }: ListProps) {
  return where.map((clause) => (
    <span key={printClause(clause)} className={styles.chip}>
      <bdi>{text(clause)}</bdi>
      <button
        type="button"
        aria-label={`Remove ${text(clause)} from ${owner}`}
        onClick={() => onRemove(clause)}
      >
        ×
      </button>
    </span>
  ));
}
