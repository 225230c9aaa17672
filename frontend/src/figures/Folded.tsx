import type { ReactNode } from "react";
import { counted } from "../ui/format";
import styles from "./LeftOut.module.css";

/** Number of texts shown at once. */
const READ = 2;

interface Props {
  /** Those that are never folded, such as those that a reader can act on. */
  chief: ReactNode[];
  others: ReactNode[];
  noun?: "note" | "caution";
}

/** Notes or cautions: the main ones, and the others folded if there are many. */
export function Folded({ chief, others, noun = "note" }: Props) {
  const most = Math.max(0, READ - chief.length);
  const folded = others.slice(most);
  return (
    <>
      {chief}
      {others.slice(0, most)}
      {folded.length > 0 ? (
        <details className={styles.folded}>
          <summary>{counted(folded.length, `more ${noun}`)}</summary>
          {folded}
        </details>
      ) : null}
    </>
  );
}
