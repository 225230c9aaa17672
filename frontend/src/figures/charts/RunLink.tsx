import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./charts.module.css";
import { useMark } from "./MarkLink";

interface Props {
  run: string;
  /** Its tip and label. */
  said: string;
  children: ReactNode;
}

/** The mark of one run, linked to it. */
export function RunLink({ run, said, children }: Props) {
  const tip = (
    <Link to="/runs/$id" params={{ id: run }}>
      {said}
    </Link>
  );
  const handlers = useMark(run, tip, true);
  return (
    <Link
      to="/runs/$id"
      params={{ id: run }}
      className={styles.mark}
      aria-label={`${said}. Show run`}
      {...handlers}
    >
      {children}
    </Link>
  );
}
