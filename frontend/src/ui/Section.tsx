import type { ReactNode } from "react";
import styles from "./Manage.module.css";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  /** The heading's id, for links to the section. */
  id: string;
  title: string;
  /** Why its content can't be shown. */
  error?: Error | null;
  children: ReactNode;
}

/** A section of a settings page, with its heading and error. */
export function Section({ id, title, error, children }: Props) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {error ? <ProblemNotice error={error} /> : null}
      {children}
    </section>
  );
}
