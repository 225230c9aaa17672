import { expect, it } from "vitest";
import type { Answer } from "../../api/types";
import { limitsOf, verdictOf } from "./Limits";

const answer = (speeds: Record<string, number>) =>
  ({
    figure: { charts: [] },
    results: Object.entries(speeds).map(([metric, median]) => ({
      metric,
      groups: [{ key: { storage: "usb4" }, published: false, method: "m", median }],
    })),
  }) as unknown as Answer;

it.each([
  [
    "reading is the limit",
    { "disk.stream_read_speed": 1e9, "hash.sha256_memory_speed": 3e9 },
    0.98e9,
  ],
  [
    "hashing is the limit",
    { "disk.stream_read_speed": 6e9, "hash.sha256_memory_speed": 3e9 },
    2.9e9,
  ],
  [
    "neither alone is the limit",
    { "disk.stream_read_speed": 3e9, "hash.sha256_memory_speed": 3e9 },
    1.5e9,
  ],
  ["in-memory hashing was not measured", { "disk.stream_read_speed": 6.5e9 }, 2.6e9],
] as const)("%s", (text, others, speed) => {
  const [limit] = limitsOf(answer({ ...others, "hash.sha256_speed": speed }));
  expect(limit && verdictOf(limit)).toContain(text);
});

it("a case whose reading nobody measured has no verdict", () => {
  expect(limitsOf(answer({ "hash.sha256_speed": 3e9 }))).toEqual([]);
});
