import type { ReactNode } from "react";
import styles from "./Manage.module.css";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  /** The heading's id, which addresses lead to. */
  id: string;
  title: string;
  /** Why what it lists can't be shown. */
  error?: Error | null;
  children: ReactNode;
}

/** A section of a page on which things are managed. */
export function Section({ id, title, error, children }: Props) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {error ? <ProblemNotice error={error} /> : null}
      {children}
    </section>
  );
}
