import { lazy, memo, Suspense, useId, useMemo } from "react";
import type { Chart, Figure } from "../api/types";
import { moment } from "../ui/format";
import { Skeleton } from "../ui/Skeleton";
import { useSort } from "../ui/sort";
import { useWidth } from "../ui/useWidth";
import { TipFrame } from "./charts/TipFrame";
import styles from "./Figure.module.css";
import { chartHeight, FIGURE_HEIGHT } from "./heights";
import { ranked } from "./ranking";

const CODE = {
  cases: () => import("./CasesFigure"),
  lines: () => import("./LinesFigure"),
  grid: () => import("./GridFigure"),
};
const CasesFigure = lazy(CODE.cases);
const LinesFigure = lazy(CODE.lines);
const GridFigure = lazy(CODE.grid);
const TargetsFigure = lazy(() => import("./TargetsFigure"));
const FIGURES = { cases: CasesFigure, lines: LinesFigure, targets: TargetsFigure };

/** Load the code of charts and tables in parallel with their data. */
export function preloadFigure(figure: keyof typeof CODE): void {
  void CODE[figure]();
  void import("./FigureTable");
}

interface Props {
  chart: Chart;
  figure: Figure;
  /** When the answer was computed. */
  asOf: string;
  /** For a saved answer: whether its figures are frozen or live. */
  state?: "frozen" | "live";
  /** Whether its page doesn't already show what it is about. */
  titled: boolean;
}

/**
 * A chart with its title, and enough text for its picture to be understood alone. Memoised: it is
 * redrawn only for another chart, while its surroundings change more often.
 */
export const ChartFigure = memo(function ChartFigure(props: Props) {
  const { chart: original, figure, asOf, state, titled } = props;
  const sort = useSort();
  const chart = useMemo(() => ranked(original, sort), [original, sort]);
  const [ref, width] = useWidth<HTMLDivElement>();
  const heading = useId();
  const height = width === 0 ? FIGURE_HEIGHT : chartHeight(chart, width, sort !== undefined);
  const Drawn = chart.grid && !sort ? GridFigure : FIGURES[chart.kind];
  const about = [...(figure.told ?? []), `as of ${moment(asOf)}`, ...(state ? [state] : [])];
  const subtitles = titled ? about : [];
  const isHidden = !titled && figure.charts.length === 1;
  return (
    <figure className={styles.figure} aria-labelledby={heading}>
      <figcaption className={styles.caption}>
        <h2 id={heading} className={isHidden ? "visually-hidden" : undefined}>
          <bdi>{chart.title}</bdi>
        </h2>
        {figure.mixed || titled ? (
          <p className={titled ? styles.subtitle : "caution"}>
            {figure.mixed ? <strong>{figure.mixed}</strong> : null}
            {subtitles.map((text) => (
              <bdi key={text}>{text}</bdi>
            ))}
          </p>
        ) : null}
      </figcaption>
      {figure.nothing ? (
        <p className="quiet">{figure.nothing}</p>
      ) : (
        <div ref={ref} className={styles.plot} style={{ minHeight: height }}>
          {width === 0 ? null : (
            <Suspense fallback={<Skeleton height={height} lines={12} follows />}>
              <TipFrame name={`Chart: ${chart.text || figure.text}`}>
                <Drawn chart={chart} width={width} />
              </TipFrame>
            </Suspense>
          )}
        </div>
      )}
    </figure>
  );
});
