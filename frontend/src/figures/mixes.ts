import type { Group } from "../api/types";
import { listed, readingOrder, type Words } from "./words";

type Mixed = Pick<Group, "mixes">;

/**
 * "Mixes 12 chips and 2 power modes": what groups pool that changes their values. Of several groups
 * the most that one of them pools; empty where none does.
 */
export function mixesText(words: Words, groups: readonly Mixed[]): string {
  const every = groups.map(
    ({ mixes }) => new Map((mixes ?? []).map(({ dimension, count }) => [dimension, count])),
  );
  const names = readingOrder(words, [...new Set(every.flatMap((mixes) => [...mixes.keys()]))]);
  const counts = names.map((name) => every.map((mixes) => mixes.get(name) ?? 1));
  const parts = names.map(
    (name, place) => `${Math.max(...(counts[place] ?? []))} ${words.several(name)}`,
  );
  const most = counts.some((found) => Math.min(...found) < Math.max(...found));
  return parts.length > 0 ? `Mixes ${most ? "up to " : ""}${listed(parts)}` : "";
}

/** Equal where points pool the same: a line joins no others. */
export function mixOf({ mix, mixes }: Pick<Group, "mix" | "mixes">): string {
  return mix ?? JSON.stringify(mixes ?? []);
}
