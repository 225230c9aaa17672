/**
 * One condition of a question, as it stands in an address: `storage:usb4`, `storage!:usb4`,
 * `file_size:2000000..200000000`, `label:iops:12000`.
 *
 * The value is kept as text. Whether `1..4` is a range depends on the dimension's kind, which the
 * catalogue knows and a link does not; `rangeOf` reads it for whoever holds the kind.
 */
export interface Clause {
  /** A dimension's name; for labels with its key, as in `label:iops`. */
  dimension: string;
  op: "is" | "not";
  /** Empty: not stated by the run. */
  value: string;
}

export interface Range {
  low?: number;
  high?: number;
}

const LABEL = "label:";

/** The clause in `text`, or nothing where it has no colon to split at or no name before it. */
export function parseClause(text: string): Clause | undefined {
  const prefix = text.startsWith(LABEL) ? LABEL : "";
  const rest = text.slice(prefix.length);
  const colon = rest.indexOf(":");
  if (colon < 1) return undefined;
  const excluded = rest[colon - 1] === "!";
  const name = rest.slice(0, excluded ? colon - 1 : colon);
  if (name === "") return undefined;
  return { dimension: prefix + name, op: excluded ? "not" : "is", value: rest.slice(colon + 1) };
}

export function printClause({ dimension, op, value }: Clause): string {
  return `${dimension}${op === "not" ? "!" : ""}:${value}`;
}

const NUMBER = String.raw`[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})?\\.\\.(${NUMBER})?$`);

/** `a..b`, `a..` or `..b`; nothing for `..` and for whatever isn't a range. */
export function rangeOf(value: string): Range | undefined {
  const match = RANGE.exec(value);
  if (!match || (match[1] === undefined && match[2] === undefined)) return undefined;
  return {
    ...(match[1] === undefined ? {} : { low: Number(match[1]) }),
    ...(match[2] === undefined ? {} : { high: Number(match[2]) }),
  };
}

export function printRange({ low, high }: Range): string {
  return `${low ?? ""}..${high ?? ""}`;
}
