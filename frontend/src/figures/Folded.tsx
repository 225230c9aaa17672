import type { ReactNode } from "react";
import { counted } from "../ui/format";
import styles from "./LeftOut.module.css";

/** Number of notes shown at once. */
const READ = 2;

interface Props {
  /** Notes that are never folded, such as those that a reader can act on. */
  chief: ReactNode[];
  others: ReactNode[];
}

/** The notes of a figure: the main ones, and the others folded if there are many. */
export function Folded({ chief, others }: Props) {
  const most = Math.max(0, READ - chief.length);
  const folded = others.slice(most);
  return (
    <>
      {chief}
      {others.slice(0, most)}
      {folded.length > 0 ? (
        <details className={styles.folded}>
          <summary>{counted(folded.length, "more note")}</summary>
          {folded}
        </details>
      ) : null}
    </>
  );
}
