import type { ReactNode } from "react";
import { counted } from "../ui/format";
import styles from "./LeftOut.module.css";

/** As many notes are read at once. */
const READ = 2;

interface Props {
  /** Notes that stay in sight, such as those that a reader can do something about. */
  chief: ReactNode[];
  others: ReactNode[];
}

/** The notes of a figure: the chief ones, and the others a press away where they are many. */
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
