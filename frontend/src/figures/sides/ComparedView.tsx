import type { ReactNode } from "react";
import type { Case, Figure, FrozenSides, Lane } from "../../api/types";
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
  /** What can be done with it, under the chart. */
  actions: ReactNode;
}

/** The sides beside one another: chart, table, what the mean covers, and what to know. */
export function ComparedView({ compared, figure, words, state, actions }: Props) {
  const { sides, where } = compared.comparison;
  const runsOf = ({ key }: Case, { method }: Lane) => {
    const own = sides.find(({ number }) => number === key?.side)?.where ?? [];
    return runsLink([...where, ...own], {}, method, words);
  };
  return (
    <FigureView
      figure={figure}
      asOf={compared.as_of}
      state={state}
      runsOf={runsOf}
      between={
        <>
          {actions}
          <div className={styles.remarks}>
            {figure.notes?.map(({ code, text }) => (
              <p key={code + text}>{text}</p>
            ))}
          </div>
        </>
      }
    />
  );
}
