import type { ReactNode } from "react";
import { MarkShape, type Mark } from "./charts/marks";
import styles from "./AnswerFigure.module.css";

export interface KeyEntry {
  id: string;
  sign: ReactNode;
  text: string;
}

interface SignProps {
  mark: Mark;
  colour?: string;
  hollow?: boolean;
  crossed?: boolean;
}

export function MarkSign({ mark, colour = "var(--ink-2)", hollow = false, crossed }: SignProps) {
  return (
    <svg width={16} height={16} aria-hidden="true">
      <MarkShape mark={mark} x={8} y={8} r={4} colour={colour} hollow={hollow} crossed={crossed} />
    </svg>
  );
}

export function LineSign({ colour, dash, mark }: { colour: string; dash: string; mark: Mark }) {
  return (
    <svg width={28} height={16} aria-hidden="true">
      <path d="M0 8H28" style={{ stroke: colour, strokeWidth: 1.75, strokeDasharray: dash }} />
      <MarkShape mark={mark} x={14} y={8} r={3} colour={colour} hollow={false} />
    </svg>
  );
}

/** A curve within its points, or beyond them. */
export function CurveSign({ dashed = false }: { dashed?: boolean }) {
  return (
    <svg width={28} height={16} aria-hidden="true">
      <path
        d="M0 8H28"
        style={{ stroke: "var(--ink-2)", strokeWidth: 1.25 }}
        strokeDasharray={dashed ? "5 4" : undefined}
      />
    </svg>
  );
}

export function BandSign() {
  return (
    <svg width={20} height={16} aria-hidden="true">
      <rect x={1} y={3} width={18} height={10} style={{ fill: "var(--ink-2)", opacity: 0.25 }} />
    </svg>
  );
}

export function IntervalSign() {
  return (
    <svg width={20} height={16} aria-hidden="true">
      <path
        d="M2 4v8M2 8H18M18 4v8"
        style={{ stroke: "var(--ink-2)", strokeWidth: 1.5, fill: "none" }}
      />
    </svg>
  );
}

export function WhiskerSign() {
  return (
    <svg width={16} height={16} aria-hidden="true">
      <path
        d="M4 2h8M8 2V14M4 14h8"
        style={{ stroke: "var(--ink-2)", strokeWidth: 1.25, fill: "none" }}
      />
    </svg>
  );
}

/** Only what the chart above really shows. */
export function ChartKey({ entries }: { entries: KeyEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <ul className={styles.key}>
      {entries.map((entry) => (
        <li key={entry.id}>
          {entry.sign}
          <bdi>{entry.text}</bdi>
        </li>
      ))}
    </ul>
  );
}
