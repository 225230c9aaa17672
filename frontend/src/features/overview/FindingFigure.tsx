import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import { answerQuery } from "../../api/queries";
import { toSearch } from "../../links/question";
import { Skeleton } from "../../ui/Skeleton";
import { sourcesOf } from "../answer/sources";
import { listed, type Words } from "../answer/words";
import { barsOf, type Finding } from "./findings";
import styles from "./Overview.module.css";

/** A question, its answer in a sentence, the figures behind it, and the way to all of them. */
export function FindingFigure({ finding, words }: { finding: Finding; words: Words | undefined }) {
  const answer = useQuery(answerQuery(finding.question));
  const bars = answer.data && words ? barsOf(finding, answer.data, words) : undefined;
  const largest = Math.max(0, ...(bars ?? []).map(({ value }) => value));
  const authors = answer.data
    ? [...sourcesOf(answer.data).values()].map(({ citation }) => citation.author)
    : [];
  const isPublished = bars?.some(({ hollow }) => hollow) ?? false;
  return (
    <section
      className={styles.finding}
      style={{ "--bars": `${finding.bars * 1.6}rem` } as CSSProperties}
    >
      <h2>
        <Link to={finding.topic.path} search={toSearch(finding.question)}>
          {finding.title}
        </Link>
      </h2>
      {answer.error ? (
        <p>This could not be answered just now.</p>
      ) : !bars ? (
        <Skeleton height={`${finding.bars * 1.6 + 3}rem`} lines={finding.bars + 2} />
      ) : bars.length === 0 ? (
        <p>
          Nothing of this kind has been measured or published yet.{" "}
          {finding.topic.views[0].command ? (
            <>
              The agent measures it: <code>{finding.topic.views[0].command}</code>
            </>
          ) : null}
        </p>
      ) : (
        <>
          <p className={styles.said}>{finding.say(bars)}</p>
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
                    <span className={styles.track}>
                      <span
                        className={styles.bar}
                        data-hollow={bar.hollow}
                        style={{ width: `${(bar.value / largest) * 100}%`, color: bar.colour }}
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
              † published by <bdi>{listed([...new Set(authors)])}</bdi>; the articles stand with the
              figures.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}
