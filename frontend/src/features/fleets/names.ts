import type { FleetMachine } from "../../api/fleets";

/** Macs that one request changes at most. */
export const AT_ONCE = 1000;
/** Fewer characters of an id would match by chance. */
const FEWEST = 8;

export interface Matched {
  named: { id: string; name: string }[];
  /** Keys of lines that are of no Mac, or of several. */
  unknown: string[];
}

/** Pairs of the first two cells of each line, which commas, semicolons or tabs separate. */
export function readNames(text: string): [string, string][] {
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))\s*(?:[,;\t]|$)/y;
  const pairs: [string, string][] = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    cell.lastIndex = 0;
    const [key = "", name = ""] = [1, 2].map(() => {
      const match = cell.exec(line);
      return (match?.[1]?.replaceAll('""', '"') ?? match?.[2] ?? "").trim();
    });
    if (key && name) pairs.push([key, name]);
  }
  return pairs;
}

/**
 * The Macs that lines name: by id, the start of an id, the present name or a label's value. A line
 * of headings is of no Mac, so the first line isn't reported.
 */
export function matchNames(pairs: [string, string][], machines: FleetMachine[]): Matched {
  const idsByName = new Map<string, Set<string>>();
  for (const { id, name, labels } of machines) {
    for (const key of [id, ...(name ? [name] : []), ...Object.values(labels)]) {
      const folded = key.toLowerCase();
      idsByName.set(folded, (idsByName.get(folded) ?? new Set()).add(id));
    }
  }
  const nameById = new Map<string, string>();
  const unknown: string[] = [];
  for (const [index, [key, name]] of pairs.entries()) {
    const folded = key.toLowerCase();
    const ids =
      idsByName.get(folded) ??
      new Set(
        folded.length < FEWEST
          ? []
          : machines.filter(({ id }) => id.startsWith(folded)).map(({ id }) => id),
      );
    const [id] = ids;
    if (id !== undefined && ids.size === 1) nameById.set(id, name);
    else if (index > 0 || ids.size > 1) unknown.push(key);
  }
  return { named: [...nameById].map(([id, name]) => ({ id, name })), unknown };
}
