import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tierColour } from "../../figures/charts/colours";
import { roundStep } from "../../figures/charts/ticks";
import {
  counted,
  day,
  fixed,
  isolated,
  plain,
  shortId,
  twoDigits,
  wholePercent,
  withUnit,
} from "../../ui/format";
import { tierOf } from "./trace";

const FILE = join(import.meta.dirname, "../../../../tests/printing.json");
const CASES = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, unknown[][]>;

// Text formatted by pages is also formatted by the server, for figures and pictures: both are
// tested with the same cases.
const RULES: Record<string, (...given: never[]) => string | number> = {
  fixed,
  counted: (n: number, one: string, many: string | null) => counted(n, one, many ?? undefined),
  with_unit: withUnit,
  day,
  isolated,
  tier_of: tierOf,
  tier_colour: tierColour,
  plain,
  two_digits: twoDigits,
  whole_percent: wholePercent,
  round_step: roundStep,
  short_id: shortId,
};

describe("the dashboard prints as the server does", () => {
  it("has cases of every rule", () => {
    expect(Object.keys(CASES)).toEqual(Object.keys(RULES));
  });
  it.each(Object.entries(RULES))("%s", (rule, print) => {
    const rows = CASES[rule] ?? [];
    const printed = rows.map((row) => print(...(row.slice(0, -1) as never[])));
    expect(printed).toEqual(rows.map((row) => row.at(-1)));
  });
});
