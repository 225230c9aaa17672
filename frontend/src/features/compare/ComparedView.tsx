import { useMemo, useRef } from "react";
import type { Compared } from "../../api/types";
import { counted, moment } from "../../format";
import { printSides, type Sides } from "../../links/sides";
import { CopyButton } from "../../ui/CopyButton";
import figure from "../answer/AnswerFigure.module.css";
import { Footnotes } from "../answer/Footnotes";
import { letterOf, type FlagNotes } from "../answer/flags";
import type { Source, Sources } from "../answer/sources";
import { leftOut, listed, questionTitle, type Words } from "../answer/words";
import { filtersInWords } from "../filters/filterWords";
import { PictureButtons } from "../runs/PictureButtons";
import styles from "./Compare.module.css";
import { CompareTable } from "./CompareTable";
import { RatioChart } from "./RatioChart";
import { ratioParts } from "./ratioParts";
import { leftOutReason, methodName, rowName, sideName } from "./sideWords";

interface Props {
  asked: Sides;
  compared: Compared;
  words: Words;
}

/** The sides beside one another: chart, table, what the mean covers, and what to know. */
export function ComparedView({ asked, compared, words }: Props) {
  const { comparison } = compared;
  const drawn = useRef<HTMLElement>(null);
  const names = useMemo(
    () => asked.sides.map((side) => sideName(words, side)),
    [asked.sides, words],
  );
  const parts = useMemo(() => ratioParts(compared, names, words), [compared, names, words]);
  const flags = useMemo(() => flagsIn(compared, words), [compared, words]);
  const sources = useMemo(() => sourcesIn(compared), [compared]);
  const baseline = names[comparison.baseline - 1] ?? "";
  const metrics = [...new Set(comparison.metrics.map(({ metric }) => metric))];
  const others = names.filter((_, place) => place !== comparison.baseline - 1);
  const title = `${questionTitle(words, metrics, [])}: ${listed(others)} relative to ${baseline}`;
  const canonical = printSides(asked);
  return (
    <div className={styles.result}>
      <figure ref={drawn} className={figure.figure} aria-labelledby="compared">
        <figcaption className={figure.caption}>
          <h2 id="compared">
            <bdi>{title}</bdi>
          </h2>
          <p className={figure.subtitle}>
            {[
              ...filtersInWords(words, asked.where),
              counted(asked.sides.length, "side"),
              `as of ${moment(compared.as_of)}`,
            ].map((part) => (
              <bdi key={part}>{part}</bdi>
            ))}
          </p>
        </figcaption>
        <RatioChart
          parts={parts}
          name={title}
          reference={`the figure of ${baseline}; lines are 95 % intervals, hollow marks published figures`}
        />
      </figure>
      <div className={styles.actions}>
        <CopyButton text={new URL(`/compare?${canonical}`, location.href).href}>
          Copy link
        </CopyButton>
        <a className="button" href={`/api/v1/compare.csv?${canonical}`} download="macmeter.csv">
          Figures as CSV
        </a>
        <a className="button" href={`/api/v1/compare?${canonical}`} download="macmeter.json">
          JSON
        </a>
        <PictureButtons figure={drawn} name="macmeter-compare" />
      </div>
      <Remarks compared={compared} names={names} words={words} />
      <CompareTable
        compared={compared}
        names={names}
        words={words}
        flags={flags}
        sources={sources}
      />
      <Footnotes notes={flags} sources={sources} />
    </div>
  );
}

function Remarks({
  compared,
  names,
  words,
}: {
  compared: Compared;
  names: string[];
  words: Words;
}) {
  const { covers, left_out } = compared.geometric_mean;
  const telling = (one: (typeof covers)[number]) => {
    const row = compared.rows.find(
      ({ metric, method, parameters }) =>
        metric === one.metric &&
        method === one.method &&
        JSON.stringify(parameters) === JSON.stringify(one.parameters),
    );
    return row ? [rowName(words, row), methodName(row)].filter(Boolean).join(" · ") : one.metric;
  };
  return (
    <div className={styles.notes}>
      {covers.length > 1 ? (
        <p>The geometric mean covers {listed(covers.map(telling))}.</p>
      ) : (
        <p>
          There is no geometric mean: it would need two metrics that every side has by one method.
        </p>
      )}
      {left_out.map((one) => (
        <p key={telling(one)}>
          Left out of the mean: {telling(one)}, because {leftOutReason(one.reason)}.
        </p>
      ))}
      {excludedOf(compared).map(({ side, reason, runs }) => (
        <p key={`${side} ${reason}`}>
          Left out of <bdi>{names[side - 1]}</bdi>: {leftOut(words, reason, runs)}.
        </p>
      ))}
      {compared.notes.map(({ code, text }) => (
        <p key={code}>{text}</p>
      ))}
      <p>
        The link holds the whole comparison and always shows today’s figures. To freeze figures,
        save a view of one question.
      </p>
    </div>
  );
}

/** The most runs that a side leaves out for a reason, over its metrics: they are of the same runs. */
function excludedOf({ rows }: Compared) {
  const most = new Map<string, Compared["rows"][number]["excluded"][number]>();
  for (const one of rows.flatMap(({ excluded }) => excluded)) {
    const id = `${one.side} ${one.reason}`;
    if (one.runs > (most.get(id)?.runs ?? 0)) most.set(id, one);
  }
  return [...most.values()];
}

function flagsIn({ rows }: Compared, words: Words): FlagNotes {
  const runs = new Map<string, number>();
  for (const row of rows) {
    const here = new Map<string, number>();
    for (const flag of row.cells.flatMap(({ flags }) => flags ?? [])) {
      here.set(flag.code, (here.get(flag.code) ?? 0) + flag.runs);
    }
    for (const [code, counted_] of here) runs.set(code, Math.max(runs.get(code) ?? 0, counted_));
  }
  const sorted = [...runs].toSorted(([a], [b]) => a.localeCompare(b));
  return new Map(
    sorted.map(([code, most], place) => [
      code,
      { letter: letterOf(place), code, runs: most, ...words.flag(code) },
    ]),
  );
}

/** Articles in the order in which the rows name them, as daggers number them. */
function sourcesIn({ rows }: Compared): Sources {
  const sources = new Map<string, Source>();
  for (const citation of rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => cell.citations ?? []),
  )) {
    const known = sources.get(citation.article);
    if (!known) {
      sources.set(citation.article, { number: sources.size + 1, citation, rows: [citation.row] });
    } else if (!known.rows.includes(citation.row)) known.rows.push(citation.row);
  }
  return sources;
}
