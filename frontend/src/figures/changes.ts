import type { FrozenAnswer, Comparison, Group, Key } from "../api/types";
import { fixed, MINUS, withUnit } from "../ui/format";

/** One figure of a comparison then and now; a missing side is one that the other does not have. */
export interface Change {
  id: string;
  metric: string;
  key: Key;
  published: boolean;
  method: string;
  frozen: Group | undefined;
  live: Group | undefined;
  /** The live figure over the frozen one. */
  ratio: number | undefined;
}

const figureOf = (group: Group, relative: boolean) =>
  relative ? group.ratio?.value : group.median;

function idOf(metric: string, group: Group): string {
  const { key, published, method, method_version } = group;
  const sorted = Object.entries(key).toSorted(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([metric, sorted, published, method, method_version]);
}

/** Every figure of both answers, in the frozen one's order, what is new at the end. */
export function changesOf(frozen: FrozenAnswer, live: FrozenAnswer): Change[] {
  const relative = frozen.question.relative_to.length > 0;
  const found = new Map<string, Change>();
  for (const side of ["frozen", "live"] as const) {
    for (const { metric, groups } of (side === "frozen" ? frozen : live).results) {
      for (const group of groups) {
        const id = idOf(metric, group);
        const { key, published, method } = group;
        const known = found.get(id) ?? {
          id,
          metric,
          key,
          published,
          method,
          frozen: undefined,
          live: undefined,
          ratio: undefined,
        };
        found.set(id, { ...known, [side]: group });
      }
    }
  }
  return [...found.values()].map((change) => {
    const before = change.frozen && figureOf(change.frozen, relative);
    const now = change.live && figureOf(change.live, relative);
    return { ...change, ratio: before && now ? now / before : undefined };
  });
}

/** "+4 %", "−0.3 %", "no change"; a change too small for a tenth says so. */
export function changeText(ratio: number): string {
  if (ratio === 1) return "no change";
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  if (size < 0.05) return withUnit(`${percent < 0 ? MINUS : "+"}<0.1`, "%");
  const digits = size < 10 && size % 1 >= 0.05 ? 1 : 0;
  const text = fixed(size, size >= 9.95 ? 0 : digits);
  return withUnit(`${percent < 0 ? MINUS : "+"}${text}`, "%");
}

/** "Data has changed since: 3 groups, largest +4 %." */
export function changedSince({ change }: Pick<Comparison, "change">): string {
  if (!change || change.groups === 0) return "Figures unchanged; their notes have changed.";
  const groups = `${change.groups} ${change.groups === 1 ? "group" : "groups"}`;
  const largest =
    typeof change.largest === "number" && change.largest !== 1
      ? `, largest ${changeText(change.largest)}`
      : "";
  return `Data has changed since: ${groups}${largest}.`;
}
