import type { Mark } from "./marks";

/** A point of two figures, in the units that are drawn. */
export interface ScatterPoint {
  id: string;
  x: number;
  y: number;
  /** Both as the table prints them. */
  text: readonly [x: string, y: string];
  label: string;
  colour: string;
  mark: Mark;
  hollow: boolean;
  crossed: boolean;
  dagger: string;
  /** Machines behind each. */
  behind: readonly [x: number, y: number];
}

/** Thousands of points of one kind, drawn as one path. */
export interface Cloud {
  id: string;
  label: string;
  colour: string;
  /** [x, y], in the units that are drawn. */
  points: readonly (readonly [number, number])[];
  /** A fitted curve through them, over their range. */
  curve: readonly { x: number; y: number }[];
}
