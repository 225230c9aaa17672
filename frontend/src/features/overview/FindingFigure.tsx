import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import { toSearch } from "../../links/question";
import { listed, type Words } from "../../figures/words";
import { useFilters } from "../../figures/filters";
import { isRelative } from "./findings";
import styles from "./Overview.module.css";
import type { Answered } from "./useFindings";

interface Props {
  finding: Answered;
  words: Words | undefined;
}

/** An answer's finding, a few bars, and a link to the whole figure. */
export function FindingFigure({ finding, words }: Props) {
  const { answer, bars, fixed } = finding;
  // Differences go to the left or right of a line at no difference, speeds from the left.
  const values = [0, ...bars.map(({ value }) => value)];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const percent = (value: number) => `${(100 * value) / (high - low || 1)}%`;
  const authors = answer?.results.flatMap(({ groups }) =>
    groups.flatMap(({ citations }) => (citations ?? []).map(({ author }) => author)),
  );
  const { byDimension } = useFilters(fixed, words);
  const mixed = answer?.figure.mixed;
  // Values that the bars mix, if any, and values fixed to avoid that.
  const context = [...(mixed ? [mixed] : []), ...byDimension];
  const isPublished = bars.some(({ hollow }) => hollow);
  return (
    <section className={styles.finding}>
      <h2>
        <Link to={finding.topic.path} search={toSearch(finding.question)}>
          <bdi>{answer?.figure.finding || finding.title}</bdi>
        </Link>
      </h2>
      {!answer ? (
        <p>These figures could not be loaded.</p>
      ) : bars.length === 0 ? (
        <p>
          Nothing measured or published yet.{" "}
          {finding.topic.views[0].command ? (
            <>
              To measure it: <code>{finding.topic.views[0].command}</code>
            </>
          ) : null}
        </p>
      ) : (
        <>
          {context.length > 0 ? <p className={styles.of}>{context.join(" · ")}</p> : null}
          <table className={styles.bars}>
            <caption className="visually-hidden">{finding.title}</caption>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">Case</th>
                <th scope="col">Figure</th>
                <th scope="col">Behind it</th>
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.label}>
                  <th scope="row">
                    <bdi>{bar.label}</bdi>
                  </th>
                  <td>
                    <span
                      className={styles.track}
                      data-signed={isRelative(bars)}
                      style={{ "--zero": percent(-low) } as CSSProperties}
                    >
                      <span
                        className={styles.bar}
                        data-hollow={bar.hollow}
                        style={{
                          marginLeft: percent(Math.min(0, bar.value) - low),
                          width: percent(Math.abs(bar.value)),
                          color: bar.colour,
                        }}
                      />
                    </span>
                    <span className={styles.figure}>
                      {bar.text}
                      {bar.dagger ? "†" : ""}
                    </span>
                  </td>
                  <td className={styles.weight}>{bar.weight}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {isPublished ? (
            <p className={styles.source}>
              † Published by <bdi>{listed([...new Set(authors)])}</bdi>; the linked page names the
              articles.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}
