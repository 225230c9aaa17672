import { expect, type Page } from "@playwright/test";
import type { Group } from "../../frontend/src/api/types";
import { settled } from "./settled";

/** A line of the table under a chart, as a reader sees it. */
export interface Line {
  metric: string;
  key: Record<string, unknown>;
  published: boolean;
  method: string;
  /** Printed ratios and ranges have no group behind them. */
  isGroup: boolean;
  cells: Record<string, string>;
}

/** Lines of the page's answer table, in order. The table loads after its chart. */
export async function linesOf(page: Page): Promise<Line[]> {
  const lines = page.locator("tr[data-lane]");
  await lines.first().waitFor({ state: "attached" });
  await expect(page.locator("[aria-busy=true]").filter({ has: lines })).toHaveCount(0);
  const rows = await lines.evaluateAll((all) =>
    all.map((row) => ({
      of: { ...(row as HTMLElement).dataset },
      cells: Object.fromEntries(
        [...row.querySelectorAll<HTMLElement>("td[data-column]")].map((cell) => [
          cell.dataset.column ?? "",
          cell.innerText.trim().replaceAll("\u2009", " "),
        ]),
      ),
    })),
  );
  return rows.map(({ of, cells }) => ({
    metric: of.metric ?? "",
    key: JSON.parse(of.key ?? "{}") as Record<string, unknown>,
    published: of.published === "true",
    method: of.method ?? "",
    isGroup: !of.lane?.includes("printed"),
    cells,
  }));
}

/** A side's figure or difference in a comparison's columns, as a reader sees it. */
export interface SideCell {
  metric: string;
  /** Row and side of the answer: "0.2". */
  lane: string;
  column: string;
  text: string;
}

/** Cells of the page's columns, in order, once their differences are drawn. */
export async function sidesOf(page: Page): Promise<SideCell[]> {
  const cells = page.locator("tr[data-metric] td[data-lane]");
  await cells.first().waitFor();
  await expect(page.locator("[aria-busy=true]").filter({ has: cells })).toHaveCount(0);
  await settled(page);
  return cells.evaluateAll((all) =>
    all.map((cell) => ({
      metric: cell.closest<HTMLElement>("tr")?.dataset.metric ?? "",
      lane: (cell as HTMLElement).dataset.lane ?? "",
      column: (cell as HTMLElement).dataset.column ?? "",
      text: (cell.textContent ?? "").replaceAll(/[\u2009\u202F\u00A0]/g, " ").trim(),
    })),
  );
}

/** The difference in percent that a text says: "+40 %" is 40. */
export function percentOf({ text }: Pick<SideCell, "text">): number {
  const [, sign, digits] = /([+\u2212]?)<?(\d+(?:\.\d+)?)\s%/.exec(text) ?? [];
  return Number(digits) * (sign === "\u2212" ? -1 : 1);
}

/** Lines of one group: one for each of different published figures. */
export function linesOfGroup(lines: Line[], metric: string, group: Group): Line[] {
  return lines.filter(
    (line) =>
      line.isGroup &&
      line.metric === metric &&
      line.published === group.published &&
      line.method === group.method &&
      Object.entries(group.key).every(([name, value]) => line.key[name] === value),
  );
}

/** A group as shown: different published figures one by one, as nobody printed their median. */
export function eachPrinted(group: Group): Group[] {
  if (!group.figures || group.ratio) return [group];
  return group.figures.map(({ value, printed }) => ({
    ...group,
    median: value,
    printed: printed === undefined ? [] : [printed],
    machines: Math.min(group.machines, 1),
    runs: 1,
    samples: 1,
  }));
}

/** Return whether digits on the screen are `value` rounded to the places they show. */
export function shows(digits: string, value: number): boolean {
  const plain = digits.replaceAll(" ", "");
  const places = plain.split(".")[1]?.length ?? 0;
  return Math.abs(Number(plain) - value) <= 0.5 * 10 ** -places * 1.0001;
}

const UNITS: Record<string, number> = { "GB/s": 1e9, "MB/s": 1e6 };

/** Digits and divisor of a speed cell in B/s: "422 MB/s" in a GB/s column names its own unit. */
export function unitOf(cell: string, column: string): { digits: string; divisor: number } {
  const match = /^([\d. ]+?)(?: ([GM]B\/s))?$/.exec(cell);
  if (!match) throw new Error(`“${cell}” is not a figure`);
  return { digits: match[1] ?? "", divisor: UNITS[match[2] ?? column] ?? Number.NaN };
}
