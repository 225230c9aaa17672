import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId, useState } from "react";
import type { Facets } from "../../api/types";
import type { Question } from "../../links/question";
import { Skeleton } from "../../ui/Skeleton";
import type { Words } from "../answer/words";
import styles from "./Workloads.module.css";
import { historiesOf, historyQuery } from "./history";

const HistoryFigure = lazy(() => import("./HistoryFigure"));

interface Props {
  question: Question;
  facets: Facets | undefined;
  words: Words;
}

/** The runs behind the figure one after another, of one machine at a time. */
export function RunByRun({ question, facets, words }: Props) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const machines =
    facets?.dimensions
      .find(({ name }) => name === "machine")
      ?.values.flatMap(({ value, runs }) =>
        value === null ? [] : [{ id: String(value), runs }],
      ) ?? [];
  const machine = machines.find((one) => one.id === chosen) ?? machines[0];
  const where = question.where.filter(({ dimension }) => dimension !== "machine");
  const history = useQuery({
    ...historyQuery(machine?.id ?? "", where, question.flagged),
    enabled: machine !== undefined,
  });
  if (!machine || history.error) return null;
  return (
    <section className={styles.history}>
      {machines.length > 1 ? (
        <p className={styles.machine}>
          <label htmlFor={id}>Machine</label>
          <select
            id={id}
            className="field"
            value={machine.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {machines.map((one) => (
              <option key={one.id} value={one.id}>
                {words.value("machine", one.id)}, {one.runs} runs
              </option>
            ))}
          </select>
        </p>
      ) : null}
      {history.data ? (
        <Suspense fallback={<Skeleton height={420} />}>
          {historiesOf(history.data.lines).map((one) => (
            <HistoryFigure key={one.name} history={one} />
          ))}
        </Suspense>
      ) : (
        <Skeleton height={420} />
      )}
    </section>
  );
}
