import { describe, expect, it } from "vitest";
import api from "../../../../docs/api.md?raw";
import { anchorOf, blocksOf, inlinesOf } from "./markdown";

describe("what the documentation is written in", () => {
  it("is taken apart into blocks", () => {
    const source =
      "# A\nOne\nline\n\n| a | b |\n|---|---|\n| `x` | 1 |\n```sh\n# no heading\n\n|\n```\nEnd";
    expect(blocksOf(source)).toEqual([
      { kind: "heading", level: 1, text: "A" },
      { kind: "paragraph", text: "One line" },
      { kind: "table", head: ["a", "b"], rows: [["`x`", "1"]] },
      { kind: "code", language: "sh", text: "# no heading\n\n|" },
      { kind: "paragraph", text: "End" },
    ]);
    expect(() => blocksOf("```sh\nx")).toThrow("no end");
  });

  it("has code and links inside its texts", () => {
    expect(inlinesOf("See [`a`](b.json), `c[0](d)` and e")).toEqual([
      { kind: "text", text: "See " },
      { kind: "link", text: "a", to: "b.json" },
      { kind: "text", text: ", " },
      { kind: "code", text: "c[0](d)" },
      { kind: "text", text: " and e" },
    ]);
    expect(anchorOf("Comparing, following, placing")).toBe("comparing-following-placing");
  });

  it("leaves no sign of itself in the API's own page", () => {
    for (const block of blocksOf(api)) {
      if (block.kind === "code") continue;
      const texts = block.kind === "table" ? [...block.head, ...block.rows.flat()] : [block.text];
      const shown = texts.flatMap(inlinesOf).filter(({ kind }) => kind === "text");
      for (const { text } of shown) expect(text).not.toMatch(/[`*]|\]\(|^\||^- /);
    }
  });
});
