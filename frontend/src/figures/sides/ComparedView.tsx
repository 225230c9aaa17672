import { type ReactNode, useMemo, useState } from "react";
import type { Compared } from "../../api/types";
import { counted, moment } from "../../ui/format";
import type { Sides } from "../../links/sides";
import figure from "../AnswerFigure.module.css";
import { Footnotes } from "../Footnotes";
import { letterOf, type FlagNotes } from "../flags";
import { mixesText } from "../mixes";
import type { Source, Sources } from "../sources";
import { leftOut, listed, type Words } from "../words";
import { filtersInWords } from "../filterWords";
import styles from "./Compared.module.css";
import { CompareTable } from "./CompareTable";
import { RatioChart } from "./RatioChart";
import { loneRows, ratioParts } from "./ratioParts";
import { leftOutReason, methodName, rowName, sideName, sidesTitle } from "./sideWords";

/** More than so many names are a number. */
const MOST_NAMED = 3;

interface Props {
  asked: Sides;
  compared: Compared;
  words: Words;
  /** Of a saved comparison: whether its frozen figures are shown. */
  state?: "frozen" | "live";
  /** What can be done with it, under the chart. */
  actions: ReactNode;
}

/** The sides beside one another: chart, table, what the mean covers, and what to know. */
export function ComparedView({ asked, compared, words, state, actions }: Props) {
  const { comparison } = compared;
  const names = useMemo(
    () => asked.sides.map((side) => sideName(words, side)),
    [asked.sides, words],
  );
  const [open, setOpen] = useState(false);
  const lone = useMemo(() => loneRows(compared), [compared]);
  const folded = open ? NO_ROWS : lone;
  // The parts stand in the order of the rows, the mean after them.
  const parts = useMemo(
    () =>
      ratioParts(compared, names, words).filter((_, place) => {
        const row = compared.rows[place];
        return !row || !folded.has(row);
      }),
    [compared, names, words, folded],
  );
  const flags = useMemo(() => flagsIn(compared, words), [compared, words]);
  const sources = useMemo(() => sourcesIn(compared), [compared]);
  const baseline = names[comparison.baseline - 1] ?? "";
  const title = sidesTitle(words, asked);
  const mixed = mixesText(
    words,
    compared.rows.flatMap(({ cells }) => cells.filter(({ missing }) => !missing)),
  );
  return (
    <div className={styles.result}>
      <figure className={figure.figure} aria-labelledby="compared">
        <figcaption className={figure.caption}>
          <h2 id="compared">
            <bdi>{title}</bdi>
          </h2>
          <p className={figure.subtitle}>
            {mixed ? <strong>{mixed}</strong> : null}
            {[
              ...filtersInWords(words, asked.where),
              counted(asked.sides.length, "side"),
              `as of ${moment(compared.as_of)}`,
              ...(state ? [state] : []),
            ].map((part) => (
              <bdi key={part}>{part}</bdi>
            ))}
          </p>
        </figcaption>
        <RatioChart
          parts={parts}
          name={title}
          reference={`the figure of ${baseline}; lines are 95 % intervals, hollow marks published figures`}
          left={folded.size > 0 ? `Not drawn: ${loneText(folded.size)}` : undefined}
        />
      </figure>
      {actions}
      <Remarks compared={compared} names={names} words={words} />
      <CompareTable
        compared={compared}
        names={names}
        words={words}
        flags={flags}
        sources={sources}
        folded={folded}
        fold={
          lone.size > 0 ? (
            <button
              type="button"
              className="act"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {open ? "Fold" : "Show"} {loneText(lone.size)}
            </button>
          ) : null
        }
      />
      <Footnotes notes={flags} sources={sources} />
    </div>
  );
}

const NO_ROWS: ReadonlySet<Compared["rows"][number]> = new Set();

const loneText = (n: number) =>
  counted(n, "figure that only one side has", "figures that only one side has");

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
      {[...Map.groupBy(left_out, ({ reason }) => reason)].map(([reason, of]) => (
        <p key={reason}>
          Left out of the mean:{" "}
          {of.length > MOST_NAMED ? `${of.length} figures` : listed(of.map(telling))}, because{" "}
          {leftOutReason(reason)}.
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
