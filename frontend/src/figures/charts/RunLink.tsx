import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./charts.module.css";
import { useMark } from "./MarkLink";

interface Props {
  run: string;
  /** Its tip and label. */
  label: string;
  children: ReactNode;
}

/** The mark of one run, linked to it. */
export function RunLink({ run, label, children }: Props) {
  const tip = (
    <Link to="/runs/$id" params={{ id: run }}>
      {label}
    </Link>
  );
  const handlers = useMark(run, tip, true);
  return (
    <Link
      to="/runs/$id"
      params={{ id: run }}
      className={styles.mark}
      aria-label={`${label}. Show run`}
      {...handlers}
    >
      {children}
    </Link>
  );
}
