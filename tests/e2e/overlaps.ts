import type { Locator } from "@playwright/test";

/** Pairs of overlapping texts in a chart, as "one | other". */
export const overlaps = (chart: Locator): Promise<string[]> =>
  chart.evaluate((element) => {
    // Typefaces have space above and below letters: text that touches there is still readable.
    const slack = { x: 1, y: 3 };
    const texts = [...element.querySelectorAll("svg text")].flatMap((text) => {
      const lines = [...text.querySelectorAll(":scope > tspan[x]")];
      return (lines.length > 0 ? lines : [text]).map((line) => ({
        of: text,
        said: line.textContent?.trim() ?? "",
        box: line.getBoundingClientRect(),
      }));
    });
    const seen = texts.filter(({ said, box }) => said !== "" && box.width > 0);
    return seen.flatMap((one, place) =>
      seen.slice(place + 1).flatMap((other) => {
        if (one.of === other.of) return [];
        const across =
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down =
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        return across > slack.x && down > slack.y ? [`${one.said} | ${other.said}`] : [];
      }),
    );
  });
