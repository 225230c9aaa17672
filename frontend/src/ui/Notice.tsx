import type { ReactNode } from "react";
import styles from "./Notice.module.css";

interface Props {
  title: string;
  /** Whether it is the whole page, with its title as the page's heading. */
  page?: boolean;
  children?: ReactNode;
  /** Links and buttons for what the reader can do. */
  actions?: ReactNode;
  /** A failure is announced assertively to screen readers, an empty answer politely. */
  tone?: "failure" | "empty";
}

/** A message that explains why there are no figures. */
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
