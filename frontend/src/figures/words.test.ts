import { expect, it } from "vitest";
import CATALOG from "../../../tests/figures/catalog.json";
import type { Catalog } from "../api/types";
import { wordsOf } from "./words";

const words = wordsOf(CATALOG as unknown as Catalog);

it.each([
  [["disk.write_average"], "Write speed"],
  [["disk.read_average", "disk.write_average"], "Read and write speed"],
  [["disk.write_average", "cores.frequency"], "Write speed and core frequency"],
])("what all titles end with is said once: %s", (names, title) => {
  expect(words.metricsTitle(names)).toBe(title);
});
