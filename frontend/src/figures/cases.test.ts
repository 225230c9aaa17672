import { expect, it } from "vitest";
import type { Case, Lane } from "../api/types";
import { withLanes } from "./cases";
import { isShown } from "./Key";

const lane = (id: string, more: Partial<Lane> = {}): Lane => ({
  id,
  mark: "square",
  text: id,
  ...more,
});
const CASES: Case[] = [
  {
    label: "FileVault",
    heading: "Internal SSD",
    swatch: true,
    lanes: [lane("a", { name: "read" })],
  },
  { label: "Plain", lanes: [lane("b", { name: "read" }), lane("c", { name: "write" })] },
  { label: "Plain", heading: "USB4", lanes: [lane("d", { name: "write", hollow: true })] },
];

const shown = (...hidden: string[]) =>
  withLanes(CASES, (drawn) => isShown(new Set(hidden), drawn)).map(({ heading, lanes }) => [
    heading,
    ...lanes.map(({ id }) => id),
  ]);

it("leaves out what is hidden, and hands its heading to the next case", () => {
  expect(shown()).toEqual([
    ["Internal SSD", "a"],
    [undefined, "b", "c"],
    ["USB4", "d"],
  ]);
  expect(shown("read")).toEqual([
    ["Internal SSD", "c"],
    ["USB4", "d"],
  ]);
  expect(shown("hollow")).toEqual([
    ["Internal SSD", "a"],
    [undefined, "b", "c"],
  ]);
  expect(shown("read", "write")).toEqual([]);
});
