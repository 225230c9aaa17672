import type { CSSProperties, ReactNode } from "react";
import type { KeyEntry, Lane, Series, Target } from "../api/types";
import charts from "./charts/charts.module.css";
import { colourOf } from "./charts/colours";
import { MarkShape, type Mark } from "./charts/marks";
import styles from "./Figure.module.css";

/** A sign and its meaning. */
export interface Entry {
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

function LineSign({ colour, dash, mark }: { colour: string; dash: string; mark: Mark }) {
  return (
    <svg width={28} height={16} aria-hidden="true">
      <path d="M0 8H28" style={{ stroke: colour, strokeWidth: 1.75, strokeDasharray: dash }} />
      <MarkShape mark={mark} x={14} y={8} r={3} colour={colour} hollow={false} />
    </svg>
  );
}

function CurveSign() {
  return (
    <svg width={28} height={16} aria-hidden="true">
      <path d="M0 8H28" style={{ stroke: "var(--ink-2)", strokeWidth: 1.25 }} />
    </svg>
  );
}

/** A line in the chart's style. */
export function StrokeSign({ style }: { style: CSSProperties }) {
  return (
    <svg width={20} height={16} aria-hidden="true">
      <path d="M0 8H20" style={style} />
    </svg>
  );
}

function BandSign() {
  return (
    <svg width={20} height={16} aria-hidden="true">
      <rect x={1} y={3} width={18} height={10} style={{ fill: "var(--ink-2)", opacity: 0.25 }} />
    </svg>
  );
}

function IntervalSign() {
  return (
    <svg width={20} height={16} aria-hidden="true">
      <path
        d="M2 4v8M2 8H18M18 4v8"
        style={{ stroke: "var(--ink-2)", strokeWidth: 1.5, fill: "none" }}
      />
    </svg>
  );
}

function WhiskerSign() {
  return (
    <svg width={16} height={16} aria-hidden="true">
      <path
        d="M4 2h8M8 2V14M4 14h8"
        style={{ stroke: "var(--ink-2)", strokeWidth: 1.25, fill: "none" }}
      />
    </svg>
  );
}

function BoundarySign() {
  return (
    <svg width={10} height={16} aria-hidden="true">
      <path d="M5 2V14" className={charts.boundary} />
    </svg>
  );
}

function signOf({ sign, mark = "circle" }: KeyEntry): ReactNode {
  switch (sign) {
    case "mark":
      return <MarkSign mark={mark} />;
    case "hollow":
      return <MarkSign mark="circle" hollow />;
    case "crossed":
      return <MarkSign mark="circle" crossed />;
    case "band":
      return <BandSign />;
    case "interval":
      return <IntervalSign />;
    case "whisker":
      return <WhiskerSign />;
    case "boundary":
      return <BoundarySign />;
    case "curve":
    case "extrapolated":
      return <CurveSign />;
  }
}

/** The signs that a figure explains. */
export function entriesOf(key: readonly KeyEntry[] = []): Entry[] {
  return key.map((entry) => ({ id: entry.text, sign: signOf(entry), text: entry.text }));
}

/** A sign that can be hidden, with everything that has its label. */
export interface Toggle extends Entry {
  label: string;
}

/** Signs of a figure that can be hidden: metrics, published and doubtful figures. */
const HIDES = new Set<KeyEntry["sign"]>(["mark", "hollow", "crossed"]);

export function togglesOf(key: readonly KeyEntry[] = []): Toggle[] {
  return key
    .filter(({ sign }) => HIDES.has(sign))
    .map((entry) => ({
      id: entry.text,
      sign: signOf(entry),
      text: entry.text,
      label: entry.sign === "mark" ? entry.text : entry.sign,
    }));
}

export function signsOf(key: readonly KeyEntry[] = []): Entry[] {
  return entriesOf(key.filter(({ sign }) => !HIDES.has(sign)));
}

type Marked = Partial<Pick<Lane, "name" | "hollow" | "doubted">>;

/** Whether none of a mark's signs is hidden. */
export function isShown(hidden: ReadonlySet<string>, { name, hollow, doubted }: Marked): boolean {
  return !(
    (name && hidden.has(name)) ||
    (hollow && hidden.has("hollow")) ||
    (doubted && hidden.has("crossed"))
  );
}

/** The names of lines, each once. */
export function entriesOfLines(series: readonly Series[]): Toggle[] {
  const entries = series.map((line) => ({
    id: `${line.label} ${String(line.hollow)}`,
    sign: line.hollow ? (
      <MarkSign mark={line.mark} colour={colourOf(line)} hollow />
    ) : (
      <LineSign colour={colourOf(line)} dash={line.dash ?? ""} mark={line.mark} />
    ),
    text: `${line.label}${line.dagger ?? ""}`,
    label: line.label,
  }));
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

export function entriesOfTargets(targets: readonly Target[]): Toggle[] {
  return targets.map((target, index) => ({
    id: `${index} ${target.label}`,
    sign: (
      <MarkSign
        mark={target.mark ?? "square"}
        colour={colourOf(target)}
        hollow={target.hollow ?? false}
      />
    ),
    text: `${target.label}${target.dagger ?? ""}`,
    label: target.label,
  }));
}

/** The meanings of the signs in the chart above. */
export function ChartKey({ entries }: { entries: Entry[] }) {
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

interface ToggleKeyProps {
  entries: Toggle[];
  /** Labels that are hidden. */
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
}

/** A legend whose names show or hide what they stand for. */
export function ToggleKey({ entries, hidden, onHide }: ToggleKeyProps) {
  if (entries.length === 0) return null;
  const toggle = (label: string) => {
    const next = new Set(hidden);
    if (!next.delete(label)) next.add(label);
    onHide(next);
  };
  return (
    <ul className={styles.key}>
      {entries.map(({ id, sign, text, label }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.toggle}
            aria-pressed={!hidden.has(label)}
            onClick={() => toggle(label)}
          >
            {sign}
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
