import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import { answerQuery, startingPointQuery } from "../../api/queries";
import { toSearch } from "../../links/question";
import { Skeleton } from "../../ui/Skeleton";
import { listed, type Words } from "../../figures/words";
import { useFilters } from "../../figures/filters";
import { started } from "../../questions/view";
import { type AskedFinding, barsOf } from "./findings";
import styles from "./Overview.module.css";

/** An answer's finding, a few bars, and a link to the whole figure. */
export function FindingFigure({
  finding,
  words,
}: {
  finding: AskedFinding;
  words: Words | undefined;
}) {
  const start = useQuery(startingPointQuery(finding.question));
  // Without a starting point, ask the question unchanged.
  const question = start.data ? started(finding.question, start.data) : finding.question;
  const answer = useQuery({ ...answerQuery(question), enabled: !start.isPending });
  const bars = answer.data && words ? barsOf(finding, answer.data, words) : undefined;
  const largest = Math.max(0, ...(bars ?? []).map(({ value }) => value));
  const authors = answer.data?.results.flatMap(({ groups }) =>
    groups.flatMap(({ citations }) => (citations ?? []).map(({ author }) => author)),
  );
  const fixed = start.data ? started({ ...finding.question, where: [] }, start.data).where : [];
  const { told } = useFilters(fixed, words);
  const mixed = answer.data?.figure.mixed;
  // Values that the bars mix, if any, and values fixed to avoid that.
  const context = [...(mixed ? [mixed] : []), ...told];
  const isPublished = bars?.some(({ hollow }) => hollow) ?? false;
  return (
    <section
      className={styles.finding}
      style={{ "--bars": `${finding.bars * 1.6}rem` } as CSSProperties}
    >
      <h2>
        <Link to={finding.topic.path} search={toSearch(question)}>
          <bdi>{answer.data?.figure.finding || finding.title}</bdi>
        </Link>
      </h2>
      {answer.error ? (
        <p>These figures could not be loaded.</p>
      ) : !bars ? (
        <Skeleton height={`${finding.bars * 1.6 + 3}rem`} lines={finding.bars + 2} />
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
              † Published by <bdi>{listed([...new Set(authors)])}</bdi>; the linked page names the
              articles.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}
