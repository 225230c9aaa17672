/** Saving of charts that only the browser draws, as self-contained files. */

import { fileName, IS_DEMO } from "../../ui/demo";
import { placed } from "./placed";

const KEPT = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "paint-order",
  "stroke-linejoin",
  "overflow",
];
const GAP = 8;

/** All charts of a figure, one above the other, with colours and fonts inlined. */
function drawing(figure: Element): { text: string; width: number; height: number } {
  const whole = figure.querySelector("[data-placed]");
  const charts = whole ? [] : [...figure.querySelectorAll<SVGSVGElement>("[role=img] svg")];
  const [title = "", sub = ""] = ["h2", "figcaption p"].map((line) =>
    quoted(textOf(figure.querySelector(line))),
  );
  const page = getComputedStyle(document.documentElement);
  const ink = getComputedStyle(figure).color;
  let height = 54;
  const images = charts.map((chart) => {
    const copy = styled(chart);
    copy.setAttribute("x", "12");
    copy.setAttribute("y", String(height));
    height += chart.clientHeight + GAP;
    return new XMLSerializer().serializeToString(copy);
  });
  let width = Math.max(0, ...charts.map((chart) => chart.clientWidth)) + 24;
  if (whole) {
    const image = placed(whole, 12, height, styled);
    images.push(...image.parts);
    width = image.width + 24;
    height += image.height + GAP;
  }
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="IBM Plex Sans, Helvetica, Arial, sans-serif">`,
    `<rect width="100%" height="100%" fill="${page.backgroundColor}"/>`,
    `<text x="12" y="22" fill="${ink}" font-size="15" font-weight="600">${title}</text>`,
    `<text x="12" y="42" fill="${ink}" font-size="12">${IS_DEMO ? `Demo with invented figures · ${sub}` : sub}</text>`,
    ...images,
    "</svg>",
  ].join("");
  return { text, width, height };
}

/** A copy that needs no style sheet. */
function styled(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll<SVGElement>("*")].forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of KEPT) element.style.setProperty(name, style.getPropertyValue(name));
  });
  return copy;
}

/** Text of a line, with separators between parts that only CSS separates on the page. */
function textOf(line: Element | null): string {
  const parts = [...(line?.children ?? [])].map((element) => element.textContent);
  return parts.length > 1 ? parts.join(" · ") : (line?.textContent ?? "");
}

const quoted = (text: string) =>
  new XMLSerializer().serializeToString(document.createTextNode(text));

export async function pictureOf(figure: Element, as: "svg" | "png"): Promise<Blob> {
  const { text, width, height } = drawing(figure);
  if (as === "svg") return new Blob([text], { type: "image/svg+xml" });
  const image = new Image();
  // The page's content security policy allows data: images, but not blobs.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("No picture could be made.")),
    );
  });
}

/** Download a file created in the browser. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
