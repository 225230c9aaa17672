import { expect, type Page } from "@playwright/test";
import type { Group } from "../../frontend/src/api/types";

/** A line of the table under a chart, as its reader sees it. */
export interface Line {
  metric: string;
  key: Record<string, unknown>;
  published: boolean;
  method: string;
  /** Printed ratios and ranges have no group behind them. */
  isGroup: boolean;
  cells: Record<string, string>;
}

/** The lines of the page's answer table in their order. The table is loaded after its chart. */
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

/** The lines of one group: unlike published figures have one each. */
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

/** What is shown of a group: unlike published figures one by one, as nobody printed their median. */
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

/** Whether digits on the screen are `value` rounded to as many places as they show. */
export function shows(digits: string, value: number): boolean {
  const plain = digits.replaceAll(" ", "");
  const places = plain.split(".")[1]?.length ?? 0;
  return Math.abs(Number(plain) - value) <= 0.5 * 10 ** -places * 1.0001;
}

const UNITS: Record<string, number> = { "GB/s": 1e9, "MB/s": 1e6 };

/** A cell of a speed column back in B/s' own unit: "422 MB/s" in a column of GB/s names its own. */
export function unitOf(cell: string, column: string): { digits: string; divisor: number } {
  const match = /^([\d. ]+?)(?: ([GM]B\/s))?$/.exec(cell);
  if (!match) throw new Error(`“${cell}” is not a figure`);
  return { digits: match[1] ?? "", divisor: UNITS[match[2] ?? column] ?? Number.NaN };
}
