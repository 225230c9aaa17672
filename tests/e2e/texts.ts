import type { Page } from "@playwright/test";
import { overlaps } from "./overlaps";

/** What is wrong with the texts of a page as laid out: cut, outside, overlapping, broken in a word. */
export async function badTexts(page: Page): Promise<string[]> {
  const over = await overlaps(page.getByRole("main"));
  return [...(await misplaced(page)), ...over.map((texts) => `overlap: ${texts}`)];
}

const misplaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const width = document.documentElement.clientWidth;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page knows only this function
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest(".visually-hidden, [hidden], dialog:not([open])") &&
      element.getBoundingClientRect().width > 2; // links to skip to the figures, until they are focused
    /** The part of a box that its clipping ancestors show, as far as the first one that scrolls. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page knows only this function
    const shownBox = (element: Element, box: DOMRect) => {
      let { left, right } = box;
      let scrolls = false;
      for (let at = element.parentElement; at; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at);
        if (overflowX === "visible") continue;
        scrolls = overflowX === "auto" || overflowX === "scroll";
        if (scrolls) break;
        const own = at.getBoundingClientRect();
        left = Math.max(left, own.left);
        right = Math.min(right, own.right);
      }
      return { left, right, scrolls };
    };

    for (const svg of document.querySelectorAll("main svg")) {
      const lines = [...svg.querySelectorAll("text")].flatMap((text) => {
        const parts = [...text.querySelectorAll(":scope > tspan[x]")];
        return (parts.length > 0 ? parts : [text]).map((line) => ({ text, line }));
      });
      const texts = lines.flatMap(({ text, line }) => {
        const title = line.querySelector("title")?.textContent ?? "";
        const said = (line.textContent ?? "").replace(title, "").trim();
        const box = line.getBoundingClientRect();
        return said !== "" && box.width > 0 && isShown(text) ? [{ text, said, box }] : [];
      });
      for (const { said, box, text } of texts) {
        const { left, right } = shownBox(text, box);
        if (said.endsWith("…")) found.push(`cut: ${said}`);
        if (box.left < -1 || box.right > width + 1) found.push(`outside: ${said}`);
        else if (left > box.left + 1 || right < box.right - 1) {
          found.push(`clipped: ${said}`);
        }
      }
    }

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!parent || !node.data.trim() || parent.closest("svg, script, style, option")) continue;
      if (!isShown(parent)) continue;
      // Addresses, commands and ids are broken anywhere on purpose.
      if (!parent.closest("code, pre, a[href^='http']")) {
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (tops.size > 1) found.push(`broken: ${word}`);
        }
      }
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const { left, right, scrolls } = shownBox(parent, box);
      if (right - left <= 0) continue;
      const said = node.data.trim().slice(0, 60);
      if (left > box.left + 1 || right < box.right - 1) found.push(`clipped: ${said}`);
      else if (!scrolls && (box.left < -1 || box.right > width + 1)) found.push(`outside: ${said}`);
    }
    if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
    return [...new Set(found)];
  });
