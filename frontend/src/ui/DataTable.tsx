import type { ReactNode } from "react";
import styles from "./DataTable.module.css";

interface Props {
  /** The table's name for screen readers. */
  name: string;
  /** Its own class, for cells that only it has. */
  className?: string;
  /** Whether it has many rows, which scroll under their headings. */
  long?: boolean;
  /** Whether more rows are about to render. */
  growing?: boolean;
  children: ReactNode;
}

/**
 * A table of figures in the available width: it scrolls if wider, with the keyboard too. Cells of
 * class `number` are right-aligned, those of class `chief` are emphasised.
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

/** The title of a column: of text, of numbers, or for screen readers only. */
type Title = string | { number: string } | { hidden: string };

/** The heading of a table whose columns can't be sorted. */
export function Heads({ titles }: { titles: readonly Title[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) =>
          typeof title === "string" ? (
            <th key={title} scope="col">
              {title}
            </th>
          ) : "number" in title ? (
            <th key={title.number} scope="col" className="number">
              {title.number}
            </th>
          ) : (
            <th key={title.hidden} scope="col">
              <span className="visually-hidden">{title.hidden}</span>
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
