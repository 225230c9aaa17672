import { lazy, Suspense, useId } from "react";
import type { Answer } from "../../api/types";
import { counted, moment } from "../../format";
import { Skeleton } from "../../ui/Skeleton";
import { useWidth } from "../../ui/useWidth";
import styles from "./AnswerFigure.module.css";
import type { Cases, Measure } from "./cases";
import { sameRuns } from "./flags";
import { FIGURE_HEIGHT, figureHeight, scatterHeight } from "./heights";
import { axisDimension } from "./panels";
import { isScatter } from "./scatter";
import type { Sources } from "./sources";
import { listed, uncapitalised, type Words } from "./words";

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
  filters: string[];
}

/** The chart under its title, with enough words that a picture of it alone is understood. */
export function AnswerFigure({ answer, words, sources, cases, measure, title, filters }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const heading = useId();
  const scatter = measure === "figure" && isScatter(answer);
  const axis = axisDimension(words, answer.question.by);
  const reference = listed(
    answer.question.relative_to.map(({ dimension, value }) =>
      uncapitalised(words.value(dimension, value)),
    ),
  );
  const empty = cases.rows.length === 0;
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
        <h2 id={heading}>
          {title}
          {measure === "ratio" ? `, relative to ${reference}` : ""}
        </h2>
        <p className={styles.subtitle}>
          {[...filters, runsText(answer, words), `as of ${moment(answer.as_of)}`].map((part) => (
            <bdi key={part}>{part}</bdi>
          ))}
        </p>
      </figcaption>
      <div ref={ref} className={styles.plot} style={empty ? undefined : { minHeight: height }}>
        {width === 0 || empty ? null : (
          <Suspense fallback={<Skeleton height={height} lines={12} />}>
            <div
              role="img"
              aria-label={`Chart: ${title}. Its figures are in the table that follows.`}
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

/**
 * Runs behind the figure. Groups that differ in a dimension of samples (file sizes) are of the same
 * runs, and further metrics mostly are too.
 */
function runsText(answer: Answer, words: Words): string {
  const totals = answer.results.map((result) =>
    [...sameRuns(result, words).values()].reduce(
      (sum, groups) => sum + Math.max(...groups.map((group) => group.runs)),
      0,
    ),
  );
  return counted(Math.max(0, ...totals), "run");
}
