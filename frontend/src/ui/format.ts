/** Numbers, units and dates as the product prints them, on screen and in charts alike. */

export const THIN = "\u2009";
export const MINUS = "\u2212";

/** A unit as printed and what to divide a value in base units by. */
export interface Scale {
  symbol: string;
  divisor: number;
}

type Ladder = readonly (readonly [number, string])[];

const LADDERS: Record<string, Ladder> = {
  "B/s": [
    [1e9, "GB/s"],
    [1e6, "MB/s"],
    [1e3, "kB/s"],
    [1, "B/s"],
  ],
  B: [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "B"],
  ],
  Hz: [
    [1e9, "GHz"],
    [1e6, "MHz"],
    [1e3, "kHz"],
    [1, "Hz"],
  ],
  s: [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
  ],
  W: [
    [1, "W"],
    [1e-3, "mW"],
  ],
  J: [
    [1, "J"],
    [1e-3, "mJ"],
  ],
  "bit/s": [
    [1e9, "Gbit/s"],
    [1e6, "Mbit/s"],
    [1, "bit/s"],
  ],
  "1/s": [
    [1e9, "G/s"],
    [1e6, "M/s"],
    [1e3, "k/s"],
    [1, "/s"],
  ],
};

/**
 * The unit for a whole column or axis: the one in which its largest value is at least 1.
 * A unit without a ladder is printed as it is.
 */
export function scaleFor(unit: string, values: Iterable<number>): Scale {
  const ladder = LADDERS[unit];
  if (!ladder) return { symbol: unit, divisor: 1 };
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const step =
    largest === 0 ? ladder[0] : (ladder.find(([size]) => largest >= size) ?? ladder.at(-1));
  return { symbol: step?.[1] ?? unit, divisor: step?.[0] ?? 1 };
}

/** Digits grouped in threes from five on, as in 12 400; 4512 stays whole. */
function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const spaced = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole;
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

/** How many decimals show `digits` significant figures of `value`. */
export function decimalsFor(value: number, digits = 3): number {
  if (value === 0 || !Number.isFinite(value)) return 0;
  const rounded = Number(value.toPrecision(digits));
  return Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
}

export function fixed(value: number, decimals: number): string {
  const text = grouped(Math.abs(value).toFixed(decimals));
  return value < 0 && Number(value.toFixed(decimals)) !== 0 ? `${MINUS}${text}` : text;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 3.7e-10 as 3.70 × 10⁻¹⁰: a row of zeros can't be read. */
function scientific(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  const power = [...exponent.replace("+", "")].map((sign) => RAISED[Number(sign)] ?? "⁻").join("");
  return `${mantissa.replace("-", MINUS)}${THIN}×${THIN}10${power}`;
}

/** Three significant figures by default: 7.659999 is 7.66. */
export function significant(value: number, digits = 3): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return scientific(value, digits);
  return fixed(value, decimalsFor(value, digits));
}

export function inUnit(value: number, scale: Scale, digits = 3): string {
  return significant(value / scale.divisor, digits);
}

/** A lone figure with its unit: 7.66 GB/s. */
export function quantity(value: number, unit: string): string {
  const scale = scaleFor(unit, [value]);
  return withUnit(inUnit(value, scale), scale.symbol);
}

export function withUnit(digits: string, symbol: string): string {
  return symbol === "" ? digits : `${digits}${THIN}${symbol}`;
}

/** Without needless zeros: 2 MB, 40 Gbit/s. For what was chosen or is nominal, and not measured. */
export function nominal(value: number, unit: string): string {
  const scale = scaleFor(unit, [value]);
  return withUnit(grouped(String(Number((value / scale.divisor).toPrecision(4)))), scale.symbol);
}

export function byteSize(bytes: number): string {
  return nominal(bytes, "B");
}

export function percent(ratio: number): string {
  return withUnit(significant(ratio * 100), "%");
}

export function count(n: number): string {
  return grouped(String(n));
}

/** "1 machine", "3 machines". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// A unit that an article spells out is the one that our columns name by its symbol.
const SPELT: Record<string, string> = { second: "s", seconds: "s" };

// Thousands as English print groups them; we group the same digits as everywhere else.
const COMMAS = /\d{1,3}(,\d{3})+(?!\d)/gu;

/** A printed figure taken apart: "4,415 MHz" is 4415 and MHz. */
export function printedParts(printed: string): { digits: string; unit: string } | undefined {
  const match = /^(.*\d)\s*(\D*)$/u.exec(printed.trim());
  if (!match) return undefined;
  const digits = (match[1] ?? printed).replace(COMMAS, (whole) =>
    grouped(whole.replaceAll(",", "")),
  );
  const unit = match[2] ?? "";
  return { digits, unit: SPELT[unit] ?? unit };
}

/** The digits of a printed figure in `symbol`'s column; with its own unit where that differs. */
export function printedIn(printed: string, symbol: string): string {
  const parts = printedParts(printed);
  if (!parts) return printed;
  const { digits, unit } = parts;
  return unit === symbol || unit === "" ? digits : withUnit(digits, unit);
}

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };

// Three letters each, as on pictures: British English has "Sept" alone with four.
const written = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...DAY, ...options })
    .format(new Date(date))
    .replace("Sept", "Sep");

/** A day without a clock: of an article, 2025-07-17 everywhere. */
export function day(date: string): string {
  return written(date, { timeZone: "UTC" });
}

/** A moment in the reader's own time zone. */
export function moment(instant: string, timeZone?: string): string {
  return written(instant, { hour: "2-digit", minute: "2-digit", timeZone });
}

// Marks, embeddings, overrides and isolates: they could turn the text around them.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Except our own isolating marks, which may surround a part of the text already. */
const STEERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066\u2067]/gu;
const [ISOLATE, END] = ["\u2068", "\u2069"];
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * A text of unknown direction, as a part of another or for places without markup (chart labels,
 * titles), without characters that steer. Only what is written from the right is put between
 * isolating marks: everything else is copied as it is read.
 */
export function isolated(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text.replaceAll(DIRECTION, "");
  const safe = closed(text.replaceAll(STEERING, ""));
  return /^\u2068[^\u2068\u2069]*\u2069$/.test(safe) ? safe : `${ISOLATE}${safe}${END}`;
}

/** With every isolate closed, and none that was never opened: a cut text has lost some. */
function closed(text: string): string {
  let open = 0;
  let kept = "";
  for (const character of text) {
    if (character === ISOLATE) open++;
    if (character === END && --open < 0) open = 0;
    else kept += character;
  }
  return kept + END.repeat(open);
}
