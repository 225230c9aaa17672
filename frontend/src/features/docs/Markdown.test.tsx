import { render } from "@testing-library/react";
import { lexer } from "marked";
import { describe, expect, it } from "vitest";
import api from "../../../../docs/api.md?raw";
import { Markdown } from "./Markdown";

const rendered = (source: string) => render(<Markdown tokens={lexer(source)} />).container;

describe("what the documentation is written in", () => {
  it("becomes the page's own elements", () => {
    const page = rendered(
      "## Saving & sharing\nSee [`a`](run.v1.schema.json), `c[0](d)`\n\n| a | b |\n|---|---|\n| `x` | 1 |",
    );
    expect(page.querySelector("h2#saving-sharing")?.textContent).toBe("Saving & sharing");
    const link = page.querySelector("p > a");
    expect(link?.getAttribute("href")).toBe("/api/v1/run.v1.schema.json");
    expect(link?.innerHTML).toBe("<code>a</code>");
    expect(page.querySelector("p > code:last-child")?.textContent).toBe("c[0](d)");
    expect(page.querySelector("tbody th[scope=row]")?.innerHTML).toBe("<code>x</code>");
  });

  it("is refused where the page has no element for it", () => {
    expect(() => rendered("![a picture](a.png)")).toThrow('no element for "image"');
  });

  it("leaves none of its characters in the API's own page", () => {
    const page = rendered(api);
    for (const code of page.querySelectorAll("code")) code.remove();
    expect(page.textContent).not.toMatch(/[`*]|\]\(|\|/);
    expect(page.querySelectorAll("h2").length).toBeGreaterThan(4);
  });
});
