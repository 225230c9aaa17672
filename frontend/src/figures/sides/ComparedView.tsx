import type { ReactNode } from "react";
import type { Case, Figure, FrozenSides, Lane } from "../../api/types";
import { counted } from "../../ui/format";
import { FigureView } from "../FigureView";
import styles from "../LeftOut.module.css";
import { runsLink } from "../runsLink";
import type { Words } from "../words";

interface Props {
  compared: FrozenSides;
  figure: Figure;
  words: Words;
  /** Of a saved comparison: whether its frozen figures are shown. */
  state?: "frozen" | "live";
  /** What can be done with it, above the chart. */
  actions: ReactNode;
}

/** The sides beside one another: chart, table, what the mean covers, and what to know. */
export function ComparedView({ compared, figure, words, state, actions }: Props) {
  const { sides, where } = compared.comparison;
  const runsOf = ({ key }: Case, { method }: Lane) => {
    const own = sides.find(({ number }) => number === key?.side)?.where ?? [];
    return runsLink([...where, ...own], {}, method, words);
  };
  const notes = figure.notes ?? [];
  return (
    <div className={styles.compared}>
      {actions}
      <FigureView
        figure={figure}
        asOf={compared.as_of}
        state={state}
        runsOf={runsOf}
        between={<Folded notes={notes.map(({ text }) => text)} />}
      />
    </div>
  );
}

/** As many notes are read at once; the others are a click away. */
const READ = 2;

function Folded({ notes }: { notes: string[] }) {
  const others = notes.slice(READ);
  return (
    <div className={styles.remarks}>
      {notes.slice(0, READ).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {others.length > 0 ? (
        <details>
          <summary>{counted(others.length, "more note")}</summary>
          {others.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </details>
      ) : null}
    </div>
  );
}
