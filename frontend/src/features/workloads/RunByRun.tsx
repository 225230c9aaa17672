import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId, useState } from "react";
import { machinesQuery } from "../../api/machines";
import type { MachineSummary } from "../../api/types";
import { counted, isolated } from "../../ui/format";
import { printClause } from "../../links/clause";
import { Skeleton } from "../../ui/Skeleton";
import type { Extra } from "../../questions/view";
import styles from "./Workloads.module.css";
import { historiesOf, historyQuery } from "./history";

const HistoryFigure = lazy(() => import("./HistoryFigure"));

/** A name such as "MacBook Pro, Apple M4 Pro, 37f2b504": several Macs may share a model. */
const chipAndTitle = (machine: MachineSummary) =>
  [machine.words.title, machine.chip, machine.id.slice(0, 8)]
    .flatMap((part) => (part ? [isolated(part)] : []))
    .join(", ");

/** The runs behind the figure in order, one machine at a time. */
export default function RunByRun({ question, facets }: Pick<Extra, "question" | "facets">) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const machines =
    facets?.dimensions
      .find(({ name }) => name === "machine")
      ?.values.flatMap(({ value, runs }) =>
        value === null ? [] : [{ id: String(value), runs }],
      ) ?? [];
  const machine = machines.find((candidate) => candidate.id === chosen) ?? machines[0];
  const where = question.where.filter(({ dimension }) => dimension !== "machine");
  const listed = useQuery(machinesQuery(where.map(printClause), "", undefined));
  const titles = new Map(listed.data?.items.map((item) => [item.id, chipAndTitle(item)]));
  const history = useQuery({
    ...historyQuery(machine?.id ?? "", where, question.flagged),
    enabled: machine !== undefined,
  });
  if (!machine || history.error) return null;
  return (
    <section className={styles.history}>
      {machines.length > 1 ? (
        <p className={styles.machine}>
          <label htmlFor={id}>Mac</label>
          <select
            id={id}
            className="field"
            value={machine.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {machines.map((option) => (
              <option key={option.id} value={option.id}>
                {titles.get(option.id) ?? option.id.slice(0, 8)}, {counted(option.runs, "run")}
              </option>
            ))}
          </select>
        </p>
      ) : null}
      {history.data ? (
        <Suspense fallback={<Skeleton height={420} />}>
          {historiesOf(history.data).map((runHistory) => (
            <HistoryFigure key={runHistory.name} history={runHistory} />
          ))}
        </Suspense>
      ) : (
        <Skeleton height={420} />
      )}
    </section>
  );
}
