import type { ReactNode } from "react";
import styles from "./Notice.module.css";

interface Props {
  title: string;
  /** It is the whole page: its title is the page's heading. */
  page?: boolean;
  children?: ReactNode;
  /** What the reader can do about it: links and buttons. */
  actions?: ReactNode;
  /** A failure is announced to screen readers, an empty answer only said. */
  tone?: "failure" | "empty";
}

/** Says in words why there are no figures. */
export function Notice({ title, page = false, children, actions, tone = "empty" }: Props) {
  return (
    <div
      className={`${styles.notice} ${tone === "failure" ? styles.failure : ""}`}
      role={tone === "failure" ? "alert" : "status"}
    >
      {page ? <h1 className={styles.title}>{title}</h1> : <p className={styles.title}>{title}</p>}
      {children ? <div className={styles.text}>{children}</div> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
