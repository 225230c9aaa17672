import { lazy, Suspense, useId } from "react";
import type { Answer } from "../api/types";
import { counted, moment } from "../ui/format";
import { Skeleton } from "../ui/Skeleton";
import { useWidth } from "../ui/useWidth";
import styles from "./AnswerFigure.module.css";
import type { Cases, Measure } from "./cases";
import { FIGURE_HEIGHT, figureHeight, scatterHeight } from "./heights";
import { mixesText } from "./mixes";
import { axisDimension } from "./panels";
import { hasTargets, isScatter } from "./scatter";
import type { Sources } from "./sources";
import type { Words } from "./words";

const casesFigure = () => import("./CasesFigure");
const linesFigure = () => import("./LinesFigure");
const CasesFigure = lazy(casesFigure);
const LinesFigure = lazy(linesFigure);
const ScatterFigure = lazy(() => import("./ScatterFigure"));

/** Charts are loaded beside their data and not after it. */
export function preloadFigure(hasAxis: boolean): void {
  void (hasAxis ? linesFigure() : casesFigure());
}

interface Props {
  answer: Answer;
  words: Words;
  sources: Sources;
  cases: Cases;
  measure: Measure;
  title: string;
  runs: number;
  filters: string[];
}

/** The chart under its title, with enough words that a picture of it alone is understood. */
export function AnswerFigure(props: Props) {
  const { answer, words, sources, cases, measure, title, runs, filters } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const heading = useId();
  const scatter = measure === "figure" && isScatter(answer);
  const axis = axisDimension(words, answer.question.by);
  const mixed = mixesText(
    words,
    answer.results.flatMap(({ groups }) => groups),
  );
  const empty = cases.rows.length === 0;
  // Without a point the figure is a sentence.
  const told = scatter && !hasTargets(answer);
  const fits = answer.results.reduce((sum, result) => sum + result.fits.length, 0);
  const height =
    width === 0
      ? FIGURE_HEIGHT
      : scatter
        ? scatterHeight(width)
        : figureHeight(cases.rows, answer.results.length, axis !== undefined, fits, width);
  return (
    <figure className={styles.figure} aria-labelledby={heading}>
      <figcaption className={styles.caption}>
        <h2 id={heading}>{title}</h2>
        <p className={styles.subtitle}>
          {mixed ? <strong>{mixed}</strong> : null}
          {[...filters, counted(runs, "run"), `as of ${moment(answer.as_of)}`].map((part) => (
            <bdi key={part}>{part}</bdi>
          ))}
        </p>
      </figcaption>
      <div
        ref={ref}
        className={styles.plot}
        style={empty || told ? undefined : { minHeight: height }}
      >
        {width === 0 || empty ? null : (
          <Suspense fallback={<Skeleton height={height} lines={12} follows />}>
            <div
              role="img"
              aria-label={`Chart: ${title}. ${mixed ? `${mixed}. ` : ""}Its figures are in the table that follows.`}
            >
              {scatter ? (
                <ScatterFigure answer={answer} words={words} sources={sources} width={width} />
              ) : axis ? (
                <LinesFigure
                  answer={answer}
                  words={words}
                  sources={sources}
                  axis={axis}
                  measure={measure}
                  width={width}
                />
              ) : (
                <CasesFigure
                  answer={answer}
                  words={words}
                  cases={cases}
                  measure={measure}
                  width={width}
                />
              )}
            </div>
          </Suspense>
        )}
      </div>
    </figure>
  );
}
