import { lazy, Suspense } from "react";
import type { Figure } from "../api/types";
import { ChartFigure } from "./ChartFigure";
import { type RunsOf, RunsOfContext } from "./charts/MarkLink";
import { Skeleton } from "../ui/Skeleton";
import styles from "./FigureView.module.css";
import { Footnotes } from "./Footnotes";
import { isCaution } from "./LeftOut";

/** Load the sorting code in parallel with the data, not before the page. */
const FigureTable = lazy(() => import("./FigureTable"));

interface Props {
  figure: Figure;
  /** When the answer was computed. */
  asOf: string;
  state?: "frozen" | "live";
  titled?: boolean;
  /** Actions and remarks, shown between the charts and their tables. */
  between?: React.ReactNode;
  runsOf: RunsOf;
}

/** Any figure: its cautions, charts, tables and footnotes, all from the same cases. */
export function FigureView({ figure, asOf, state, titled, between, runsOf }: Props) {
  return (
    <div className={styles.view}>
      {(figure.notes ?? []).filter(isCaution).map(({ code, text }) => (
        <p key={text} className="caution" data-grade={code}>
          <strong>{text}</strong>
        </p>
      ))}
      <RunsOfContext value={runsOf}>
        {figure.charts.map((chart) => (
          <ChartFigure
            key={chart.title}
            {...{ chart, figure, asOf, state }}
            titled={titled ?? true}
          />
        ))}
        {between}
        {figure.charts.map((chart) =>
          chart.cases && chart.cases.length > 0 ? (
            <Suspense key={chart.title} fallback={<Loading />}>
              <FigureTable
                chart={chart}
                figure={figure}
                caption={`${chart.title}: the figures of the chart`}
              />
            </Suspense>
          ) : null,
        )}
      </RunsOfContext>
      <Footnotes flags={figure.flags} sources={figure.sources} />
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <Skeleton height="24rem" lines={10} follows />
    </div>
  );
}
