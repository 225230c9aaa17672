import type { CSSProperties, ReactElement } from "react";

/** Shapes that distinguish metrics (or series) where colour can't. */
export type Mark = "square" | "circle" | "triangle" | "diamond";

export const MARKS: readonly Mark[] = ["square", "circle", "triangle", "diamond"];

export function markPath(mark: Mark, x: number, y: number, r: number): string {
  switch (mark) {
    case "square": {
      const s = r * 0.9;
      return `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`;
    }
    case "circle":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case "triangle": {
      const s = r * 1.15;
      return `M${x} ${y - s}L${x + s} ${y + s * 0.8}L${x - s} ${y + s * 0.8}z`;
    }
    case "diamond": {
      const s = r * 1.25;
      return `M${x} ${y - s}L${x + s} ${y}L${x} ${y + s}L${x - s} ${y}z`;
    }
  }
}

interface Props {
  mark: Mark;
  x: number;
  y: number;
  r?: number;
  colour: string;
  /** Published points are hollow, measured ones filled. */
  hollow: boolean;
  /** Doubtful ones are crossed out when shown. */
  crossed?: boolean;
}

export function MarkShape({ mark, x, y, r = 4.5, colour, hollow, crossed }: Props): ReactElement {
  const style: CSSProperties = {
    fill: hollow ? "var(--paper)" : colour,
    stroke: colour,
    strokeWidth: 1.5,
  };
  const reach = r + 3.5;
  return (
    <>
      <path d={markPath(mark, x, y, r)} style={style} />
      {crossed ? (
        <path
          d={`M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}`}
          style={{ stroke: "var(--doubt)", strokeWidth: 1.5, fill: "none" }}
        />
      ) : null}
    </>
  );
}
