import type { Locator } from "@playwright/test";

/** A character in no response: text that a page formatted itself has no mark. */
export const MARK = "\u2032";

/** Names of colours, shapes, metrics and so on, which no reader sees. */
const UNSEEN = new Set(["colour", "sign", "kind", "lane", "metric", "measure", "id", "dash"]);
const SHAPES = new Set(["square", "circle", "triangle", "diamond"]);

/** Words of a response with a mark after every text that a page may print. */
export function marked<T>(value: T, name = ""): T {
  if (typeof value === "string") {
    const seen = value !== "" && !UNSEEN.has(name) && !SHAPES.has(value);
    return (seen ? `${value}${MARK}` : value) as T;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => marked(one, name)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, marked(one, key)]),
  ) as T;
}

/** Texts with digits that are printed or read out in a part of a page. */
export async function digitsIn(part: Locator): Promise<string[]> {
  const texts = await part.evaluateAll((parts) =>
    parts.flatMap((root) => {
      const found: string[] = [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) found.push(walker.currentNode.nodeValue ?? "");
      for (const element of root.querySelectorAll("[aria-label]")) {
        found.push(element.getAttribute("aria-label") ?? "");
      }
      return found;
    }),
  );
  return [...new Set(texts.map(plain).filter((text) => /\d/.test(text)))];
}

/** Text as a reader takes it in: plain spaces, no direction marks. */
export const plain = (text: string) =>
  text
    .replaceAll(/[\u2066-\u2069]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();

const COUNTED = /\b[\d,]+(?= (?:more |whole )?(?:runs?|samples?|machines?|lines?|seconds?)\b)/g;
const WHEN = /\b\d{1,2} [A-Z][a-z]{2} \d{4}(?:,? (?:at )?\d{2}:\d{2})?|\b\d{2}:\d{2}\b/g;
const PERCENTILE = /\bp(?:10|50|90)\b/g;

/**
 * Return whether the text can only be the page's own: its times, its counts, and names or numbers
 * that are unchanged in the response. A figure in digits and unit without a mark is none of these.
 */
export function isOwn(text: string, response: unknown): boolean {
  const raw = new Set(scalars(response).map((one) => plain(one)));
  if (raw.has(text.replaceAll(",", ""))) return true;
  const names = [...raw].filter((one) => one.length > 1).toSorted((a, b) => b.length - a.length);
  let rest = text;
  for (const pattern of [WHEN, COUNTED, PERCENTILE]) rest = rest.replaceAll(pattern, "");
  for (const name of names) rest = rest.replaceAll(name, "");
  return !/\d/.test(rest);
}

/** Texts, whole numbers and lengths of lists anywhere in a response. */
function scalars(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return Number.isInteger(value) ? [String(value)] : [];
  if (Array.isArray(value)) return [String(value.length), ...value.flatMap(scalars)];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(scalars);
}
