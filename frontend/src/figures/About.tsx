import { Link } from "@tanstack/react-router";
import type { FrozenAnswer } from "../api/types";
import styles from "./About.module.css";
import { type Section, sectionOf } from "../links/sections";
import type { Words } from "./words";

interface Props {
  answer: FrozenAnswer;
  words: Words;
  /** Remarks of the figure's view: method and traps. */
  remarks: readonly string[];
  /** The agent command that measures it. */
  command?: string;
}

/** A figure's method, traps and reading aid, folded. */
export function About({ answer, words, remarks, command }: Props) {
  const methods = new Set<string>();
  for (const { groups } of answer.results) {
    for (const group of groups)
      if (!group.published) methods.add(`${group.method} ${group.method_version}`);
  }
  const each = answer.question.weight === "machine" ? "machine" : "run";
  return (
    <details className={styles.about}>
      <summary>About this figure</summary>
      <div className={styles.text}>
        <dl>
          {answer.question.metrics.map((name) => (
            <div key={name}>
              <dt>{words.metricTitle(name)}</dt>
              <dd>{words.metric(name)?.about}</dd>
            </div>
          ))}
        </dl>
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
          <li>
            Each {each === "machine" ? "Mac" : "run"} counts once. A figure is the median over{" "}
            {each === "machine" ? "Macs, a Mac’s value the median of its runs" : "runs"}. 95%
            confidence intervals of the median need six Macs. For one Mac they show how its own runs
            vary, and need six runs.
          </li>
          <li>
            Published figures are never pooled with measured ones. Hollow marks and daggers lead to
            the article; the digits are as printed.
          </li>
          {command ? (
            <li>
              Measured on a Mac with <code>{command}</code>.
            </li>
          ) : null}
          <li>
            {listedSections(answer, words).map(({ id, title }, index) => (
              <span key={id}>
                {index === 0 ? "How it is measured: " : ", "}
                <Link to="/methods" hash={id}>
                  {title}
                </Link>
              </span>
            ))}
            . How samples become an answer:{" "}
            <Link to="/methods" hash="statistics">
              Statistics
            </Link>
            .
          </li>
          {methods.size > 0 ? (
            <li>
              Measured by <bdi>{[...methods].join(", ")}</bdi>. Runs by different methods are never
              one series.
            </li>
          ) : null}
        </ul>
      </div>
    </details>
  );
}

/** The sections on the methods of the answer's metrics, each once. */
function listedSections(answer: FrozenAnswer, words: Words): Section[] {
  const suites = new Set(answer.question.metrics.map((name) => words.metric(name)?.suite));
  return [...new Map([...suites].map(sectionOf).map((section) => [section.id, section])).values()];
}
