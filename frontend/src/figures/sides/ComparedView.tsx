import type { ReactNode } from "react";
import type { Case, Figure, FrozenSides, Lane, Remark } from "../../api/types";
import { Button } from "../../ui/Button";
import { counted, moment } from "../../ui/format";
import { RunsOfContext } from "../charts/MarkLink";
import { Footnotes } from "../Footnotes";
import { runsLink } from "../runsLink";
import type { Words } from "../words";
import { Cautions, type Ways } from "./Cautions";
import styles from "./Sides.module.css";
import { wordsUsed } from "./sideWords";
import { SidesTable } from "./SidesTable";

interface Props {
  compared: FrozenSides;
  figure: Figure;
  words: Words;
  /** For a saved comparison: whether its figures are frozen or live. */
  state?: "frozen" | "live";
  /** Buttons above the columns. */
  actions?: ReactNode;
  /** What can be changed; absent for a frozen comparison. */
  ways?: Ways & { onFlagged: (flagged: "exclude" | "include") => void };
}

/** The compared sides: cautions, columns, and a quiet foot. */
export function ComparedView({ compared, figure, words, state, actions, ways }: Props) {
  const { sides, where } = compared.comparison;
  const runsOf = ({ key }: Case, { method }: Lane) => {
    const sideFilters = sides.find(({ number }) => number === key?.side)?.where ?? [];
    return runsLink([...where, ...sideFilters], {}, method, words);
  };
  const { sides: columns, charts, notes = [], nothing } = figure;
  const [chart] = charts;
  if (!columns || !chart) return null;
  const explained = [...wordsUsed(columns.areas), textOf(notes, "corrected")].join(" ").trim();
  return (
    <div className={styles.compared}>
      <div className={styles.cautions}>
        <Cautions cautions={columns.cautions ?? []} ways={ways} />
        {nothing ? <p className="caution">{nothing}</p> : null}
      </div>
      {actions}
      <RunsOfContext value={runsOf}>
        <SidesTable columns={columns} chart={chart} figure={figure} />
      </RunsOfContext>
      <div className={styles.foot}>
        <NoScore areas={columns.areas.filter(({ title }) => title !== "Published")} />
        {explained ? (
          <section>
            <h3>Words used here</h3>
            <p>{explained}</p>
          </section>
        ) : null}
        <LeftOut notes={notes} ways={ways} />
        <section>
          <h3>As of {moment(compared.as_of)}</h3>
          <p>
            {state === "frozen"
              ? "These figures are frozen."
              : "A live link follows new runs; save the comparison to keep these figures."}{" "}
            Each side counts a Mac once, from {counted(figure.runs, "run")}.{" "}
            {["shared_runs", "power_estimated", "computed_differently"]
              .map((code) => textOf(notes, code))
              .join(" ")}
          </p>
        </section>
      </div>
      <Footnotes flags={figure.flags} sources={figure.sources} />
    </div>
  );
}

const textOf = (notes: readonly Remark[], wantedCode: string): string =>
  notes.find(({ code }) => code === wantedCode)?.text ?? "";

type Areas = NonNullable<Figure["sides"]>["areas"];

/** Why there is no mean of all figures. */
function NoScore({ areas }: { areas: Areas }) {
  if (areas.length < 2) return null;
  const all = areas.reduce((sum, { rows }) => sum + rows.length, 0);
  const most = areas.reduce((a, b) => (b.rows.length > a.rows.length ? b : a));
  return (
    <section>
      <h3>No overall score</h3>
      <p>
        The areas answer different questions. A mean of all {counted(all, "figure")} would mostly
        count {most.title.toLowerCase()}, with {most.rows.length} of them.
      </p>
    </section>
  );
}

/** Runs that are left out, or doubted ones that are counted. */
function LeftOut({ notes, ways }: { notes: readonly Remark[]; ways: Props["ways"] }) {
  const leftOut = notes.filter(({ code }) => code === "left_out" || code === "included");
  if (leftOut.length === 0) return null;
  const isIncluded = leftOut.some(({ code }) => code === "included");
  return (
    <section>
      <h3>{isIncluded ? "Counted in" : "Left out"}</h3>
      <ul>
        {leftOut.map(({ text }) => (
          <li key={text}>{text.replace(/^Left out of /, "")}</li>
        ))}
      </ul>
      {ways ? (
        <Button asText onClick={() => ways.onFlagged(isIncluded ? "exclude" : "include")}>
          {isIncluded ? "Exclude" : "Include"}
        </Button>
      ) : null}
    </section>
  );
}
