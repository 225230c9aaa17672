import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Catalog } from "../api/types";
import { axisDimension } from "../figures/panels";
import { wordsOf } from "../figures/words";
import { hasAxis } from "./view";

const FILE = join(import.meta.dirname, "../../../tests/figures/catalog.json");
const catalog = JSON.parse(readFileSync(FILE, "utf8")) as Catalog;

it("the chart that is loaded ahead is the one that will be drawn", () => {
  const words = wordsOf(catalog);
  for (const { name } of catalog.dimensions) {
    for (const by of [[name], [name, "power_mode"]]) {
      expect([name, hasAxis({ by })]).toEqual([name, axisDimension(words, by) !== undefined]);
    }
  }
});
