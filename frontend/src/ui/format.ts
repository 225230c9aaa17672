/**
 * Formatting that only the page can do: its own counts, samples that it reads in the browser, and
 * times in the reader's time zone. Figures arrive formatted (backend/macmeter/charts).
 */

export const THIN = "\u2009";
const MINUS = "\u2212";

/** Digits grouped in threes: 12,400. */
function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}

export function fixed(value: number, decimals: number): string {
  const text = grouped(Math.abs(value).toFixed(decimals));
  return value < 0 && Number(value.toFixed(decimals)) !== 0 ? `${MINUS}${text}` : text;
}

/** Two significant digits for values from 1 up: a sentence claims no more precision. */
export const twoDigits = (value: number) => fixed(value, value < 9.95 ? 1 : 0);

/** A ratio in whole percent. */
export const wholePercent = (ratio: number) => withUnit(fixed(ratio * 100, 0), "%");

/** A ratio as a change in whole percent: "−12 %", "+3 %". */
export function change(ratio: number): string {
  const percent = fixed((ratio - 1) * 100, 0);
  return withUnit(ratio > 1 && percent !== "0" ? `+${percent}` : percent, "%");
}

/** A number without trailing zeros, as on axes: at most four significant digits. */
export function plain(value: number): string {
  const [, decimals = ""] = String(Number(value.toPrecision(4))).split(".");
  return fixed(value, decimals.length);
}

/** The recognisable start of an id; any other text unchanged. */
export function shortId(id: string): string {
  return /^[0-9a-f-]{36}$/.test(id) ? id.slice(0, 8) : id;
}

export function withUnit(digits: string, symbol: string): string {
  return symbol === "" ? digits : `${digits}${THIN}${symbol}`;
}

/** "macOS 26.4"; other systems include their name. */
export const systemText = (version: string) => (/^\d/.test(version) ? `macOS ${version}` : version);

export function count(n: number): string {
  return grouped(String(n));
}

/** "1 machine", "3 machines". */
export function counted(n: number, singular: string, plural = `${singular}s`): string {
  return `${count(n)} ${n === 1 ? singular : plural}`;
}

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };

// Three letters each, as on pictures: British English alone has four in "Sept".
const written = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...DAY, ...options })
    .format(new Date(date))
    .replace("Sept", "Sep");

/** A date without a time, the same in every time zone, such as an article's. */
export function day(date: string): string {
  return written(date, { timeZone: "UTC" });
}

/** The days from one instant to another: "12 Jun 2026 to 3 Jul 2026", or one day. */
export function days(first: string, last: string): string {
  const [from, to] = [day(first), day(last)];
  return from === to ? from : `${from} to ${to}`;
}

/** A date and time in the reader's time zone. */
export function moment(instant: string, timeZone?: string): string {
  return written(instant, { hour: "2-digit", minute: "2-digit", timeZone });
}

// Characters that reorder or hide surrounding text, as in backend/macmeter/platform/plain_text.py:
// marks, embeddings, overrides and isolates of direction, invisible separators and tags.
const HIDDEN =
  "\u{AD}\u{61C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2065}" +
  "\u{206A}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}";
const STEERING = new RegExp(`[${HIDDEN}\u{2066}-\u{2069}]`, "gu");
/** The same except our own isolating marks, which may already surround part of the text. */
const STEERING_APART = new RegExp(`[${HIDDEN}\u{2066}\u{2067}]`, "gu");
const LINES = /[\t\n\r\u0085\u2028\u2029]+/gu;
// oxlint-disable-next-line no-control-regex -- these are what a text must not have
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;
const [ISOLATE, END] = ["\u2068", "\u2069"];
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * A text of unknown direction for use within another or without markup (chart labels, titles), with
 * steering characters removed. Only right-to-left text gets isolating marks: everything else is
 * copied as it reads.
 */
export function isolated(text: string): string {
  const cleaned = text.replaceAll(CONTROLS, "\uFFFD").replaceAll(LINES, " ");
  if (!RIGHT_TO_LEFT.test(cleaned)) return cleaned.replaceAll(STEERING, "");
  const safe = closed(cleaned.replaceAll(STEERING_APART, ""));
  return /^\u2068[^\u2068\u2069]*\u2069$/.test(safe) ? safe : `${ISOLATE}${safe}${END}`;
}

/**
 * The text with every isolate closed, and none closed that wasn't opened: truncation may have cut
 * some off.
 */
function closed(text: string): string {
  let open = 0;
  let safe = "";
  for (const character of text) {
    if (character === ISOLATE) open++;
    if (character === END && --open < 0) open = 0;
    else safe += character;
  }
  return safe + END.repeat(open);
}
