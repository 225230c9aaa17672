import type { ReactNode } from "react";
import styles from "./DataTable.module.css";

interface Props {
  /** The table's name for screen readers. */
  name: string;
  /** Its own class, for what only its cells have. */
  className?: string;
  /** Many lines: they scroll under their headings. */
  long?: boolean;
  /** Lines are still to come. */
  growing?: boolean;
  children: ReactNode;
}

/**
 * A table of figures as wide as its place: what does not fit scrolls, also by the keyboard.
 * Cells of class `number` are set right, those of class `chief` are emphasised.
 */
export function DataTable({ name, className, long = false, growing = false, children }: Props) {
  return (
    <div
      className={`${styles.scroll} ${long ? styles.long : ""}`}
      role="region"
      aria-label={name}
      aria-busy={growing}
      tabIndex={0}
    >
      <table className={`${styles.table} ${className ?? ""}`}>{children}</table>
    </div>
  );
}
