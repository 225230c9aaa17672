import { expect, it } from "vitest";
import { matching, type Place, thingsOf } from "./places";

const place = (kind: string, title: string, also = ""): Place => ({
  kind,
  title,
  also,
  href: `/${title}`,
});
const PLACES = [
  place("View", "Storage: by file size", "Write speed by file size"),
  place("Chip", "Apple M4 Pro"),
  place("Page", "Storage"),
  place("Article", "Which SSD writes fastest?", "Howard Oakley"),
];

it("all words must be found, and what begins with them comes first", () => {
  const titles = (text: string) => matching(PLACES, text).map(({ title }) => title);
  expect(titles("storage")).toEqual(["Storage: by file size", "Storage"]);
  expect(titles("pro m4")).toEqual(["Apple M4 Pro"]);
  expect(titles("write")).toEqual(["Which SSD writes fastest?", "Storage: by file size"]);
  expect(titles("oakley ssd")).toEqual(["Which SSD writes fastest?"]);
  expect(titles("m4 ultra")).toEqual([]);
});

it("chips and models lead to their Macs, whatever is not stated to nothing", () => {
  const values = [
    { value: "Apple M4 Pro", text: "Apple M4 Pro", place: 0, runs: 3, machines: 1 },
    { value: null, text: "Not stated", place: 1, runs: 1, machines: 1 },
  ];
  const dimensions = [
    { name: "chip", distinct: 2, values },
    { name: "storage", distinct: 1, values },
  ];
  expect(thingsOf({ dimensions })).toEqual([
    { kind: "Chip", title: "Apple M4 Pro", href: "/machines?where=chip:Apple%20M4%20Pro" },
  ]);
});
