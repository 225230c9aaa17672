import { expect, it } from "vitest";
import { panelFrame } from "./heights";

const panelsOf = (metrics: string[], kinds: number) =>
  metrics.flatMap((metric) => Array.from({ length: kinds }, (_, kind) => `${metric} · ${kind}`));

it("panels of one metric fill whole rows where they can", () => {
  const columns = (titles: string[], width = 945) => panelFrame(titles, width).columns;
  expect(columns(panelsOf(["Read", "Write"], 4))).toBe(2);
  expect(columns(panelsOf(["Read", "Write"], 3))).toBe(3);
  expect(columns(panelsOf(["Read", "Write"], 5))).toBe(3);
  expect(columns(panelsOf(["Read"], 4))).toBe(3);
  expect(columns(["Read", "Write", "Flush"])).toBe(3);
  expect(columns(panelsOf(["Read", "Write"], 4), 350)).toBe(1);
});
