import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { facetsQuery } from "../../api/queries";
import type { Catalog } from "../../api/types";
import type { Clause } from "../../links/clause";
import { metricParts, MOST_METRICS, printMetric, type Sides } from "../../links/sides";
import { type Filters, useFilters } from "../../figures/filters";
import type { Words } from "../../figures/words";
import { AddFilter, FilterList } from "./AddFilter";
import styles from "./Compare.module.css";
import { filterText } from "./SidesEditor";
import { Button } from "../../ui/Button";
import { Picker } from "../../ui/Picker";

interface Props {
  asked: Sides;
  catalog: Catalog;
  words: Words;
  onAsk: (next: Sides) => void;
}

/** The metrics to compare, and the filters of all sides. */
export function MetricsEditor({ asked, catalog, words, onAsk }: Props) {
  const sideDimensions = new Set(
    asked.sides.flatMap(({ where }) => where.map(({ dimension }) => dimension)),
  );
  const filters = useFilters(
    [...asked.where, ...asked.metrics.flatMap((text) => metricParts(text).fixed)],
    words,
  );
  const names = [...new Set(asked.metrics.map((text) => metricParts(text).name))];
  return (
    <div className={styles.metrics}>
      <section aria-label="Metrics">
        <h2>Metrics</h2>
        <ul className={styles.filters}>
          {asked.metrics.map((text) => (
            <li key={text} className={styles.chip}>
              <bdi>{metricName(words, text, filters)}</bdi>
              <button
                type="button"
                aria-label={`Remove ${metricName(words, text, filters)}`}
                onClick={() =>
                  onAsk({ ...asked, metrics: asked.metrics.filter((other) => other !== text) })
                }
              >
                ×
              </button>
            </li>
          ))}
        </ul>
        {asked.metrics.length < MOST_METRICS ? (
          <AddMetric asked={asked} catalog={catalog} words={words} onAsk={onAsk} />
        ) : null}
      </section>
      <section aria-label="Filters of all sides">
        <h2>For all sides</h2>
        <div className={styles.filters}>
          <FilterList
            where={asked.where}
            owner="all sides"
            text={(clause) => filterText(words, clause, filters)}
            onRemove={(clause) =>
              onAsk({ ...asked, where: asked.where.filter((other) => other !== clause) })
            }
          />
          <AddFilter
            owner="all sides"
            metrics={names}
            where={asked.where}
            taken={sideDimensions}
            words={words}
            onAdd={(clause) => onAsk({ ...asked, where: [...asked.where, clause] })}
          />
        </div>
      </section>
    </div>
  );
}

/** A metric with its required parameters: speed by file size needs the size. */
function AddMetric({ asked, catalog, words, onAsk }: Props) {
  const [name, setName] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const fixed = (dimension: string) =>
    asked.where.some((clause) => clause.dimension === dimension) ||
    asked.sides.every(({ where }) => where.some((clause) => clause.dimension === dimension));
  const needed = (words.metric(name)?.required ?? []).filter((dimension) => !fixed(dimension));
  const facets = useQuery({
    ...facetsQuery({ metrics: [name], where: asked.where, flagged: "include" }),
    enabled: needed.length > 0,
  });
  const choices = needed.map((dimension) => ({
    dimension,
    values: (facets.data?.dimensions.find((facet) => facet.name === dimension)?.values ?? [])
      .filter(({ value }) => value !== null)
      .toSorted((a, b) => a.place - b.place),
  }));
  const bySuite = Map.groupBy(catalog.metrics, ({ suite }) => words.value("suite", suite));
  const sections = [...bySuite].map(([title, metrics]) => ({
    title,
    choices: metrics.map((metric) => ({ id: metric.name, text: metric.title })),
  }));
  const ready = name !== "" && choices.every((choice) => choice.values.length > 0);
  const add = () => {
    const clauses = choices.map(
      ({ dimension, values: offered }): Clause => ({
        dimension,
        op: "is",
        value: values[dimension] ?? String(offered[0]?.value),
      }),
    );
    onAsk({ ...asked, metrics: [...new Set([...asked.metrics, printMetric(name, clauses)])] });
    setName("");
    setValues({});
  };
  return (
    <div className={styles.adder}>
      <Picker
        label="Metric"
        value={name ? words.metricTitle(name) : "Choose"}
        placeholder="Find a metric"
        sections={sections}
        onChoose={(chosen) => {
          setName(chosen);
          setValues({});
        }}
      />
      {choices.map(({ dimension, values: offered }) => (
        <label key={dimension}>
          <span className="visually-hidden">{words.dimensionTitle(dimension)}</span>
          <select
            className="field"
            value={values[dimension] ?? ""}
            onChange={(event) => setValues({ ...values, [dimension]: event.target.value })}
          >
            {offered.map(({ value, text }) => (
              <option key={String(value)} value={String(value)}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Button disabled={!ready} onClick={add}>
        Add metric
      </Button>
      {name !== "" && facets.data && !ready ? (
        <span className="quiet">No results for {words.metricInside(name)} yet</span>
      ) : null}
    </div>
  );
}

/** "Write speed by file size, 2 MB". */
function metricName(words: Words, text: string, { textOf }: Filters): string {
  const { name, fixed } = metricParts(text);
  return [words.metricTitle(name), ...fixed.map((clause) => textOf(clause).listed)].join(", ");
}
