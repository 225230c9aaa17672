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

it("a chip is found before articles that begin with its name", () => {
  const article = {
    kind: "Article",
    title: "M4 Macs can’t virtualise older macOS",
    href: "/about",
  };
  const chip = { kind: "Chip", title: "Apple M4", href: "/chips/m4" };
  for (const text of ["m4", "apple m4"]) {
    expect(matching([chip, article], text)[0]).toEqual(chip);
  }
});

it("chips and models lead to their pages, a model by Apple's identifier as well", () => {
  const mini = {
    slug: "mac-mini-m4-pro",
    name: "Mac mini, M4 Pro",
    where: ["chip:Apple M4 Pro", "model:Mac mini"],
    runs: 3,
    machines: 1,
    identifiers: ["Mac16,11"],
  };
  const places = thingsOf("models", { items: [mini] });
  expect(matching(places, "mac16,11")).toEqual([
    { kind: "Model", title: mini.name, also: "Mac16,11", href: "/models/mac-mini-m4-pro" },
  ]);
  expect(thingsOf("chips", undefined)).toEqual([]);
});
