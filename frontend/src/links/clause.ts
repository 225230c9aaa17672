/**
 * One condition of a question, as in an address: `storage:usb4`, `storage!:usb4`,
 * `file_size:2000000..200000000`, `label:iops:12000`.
 *
 * The value stays text. Whether `1..4` is a range depends on the dimension's kind, which the
 * catalogue knows and a link does not; callers that know the kind use `rangeOf`.
 */
export interface Clause {
  /** A dimension's name; for labels including the key, as in `label:iops`. */
  dimension: string;
  op: "is" | "not";
  /** Empty if the run doesn't state it. */
  value: string;
}

export interface Range {
  low?: number;
  high?: number;
}

const LABEL = "label:";

/** Parse the clause in `text`; undefined without a colon or without a name before it. */
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

/** Parse `a..b`, `a..` or `..b`; undefined for `..` and anything that isn't a range. */
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
