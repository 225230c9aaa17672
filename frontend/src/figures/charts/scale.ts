/** Placement of labels that would overlap: pure arithmetic, in pixels. */

/**
 * Heights for labels that prefer `wanted` and need `gap` between them, each moved as little as its
 * neighbours allow, all within `limits`. In the order given.
 */
export function spread(wanted: number[], gap: number, limits: [number, number]): number[] {
  const order = wanted
    .map((_, place) => place)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed: number[] = [];
  let previous = limits[0] - gap;
  for (const place of order) {
    previous = Math.max(wanted[place] ?? 0, previous + gap);
    placed.push(previous);
  }
  let next = limits[1] + gap;
  for (let i = placed.length - 1; i >= 0; i--) {
    next = Math.min(placed[i] ?? 0, next - gap);
    placed[i] = next;
  }
  const result: number[] = [];
  order.forEach((place, i) => {
    result[place] = placed[i] ?? 0;
  });
  return result;
}

/** A label's horizontal extent and preferred height. */
export interface Label {
  left: number;
  right: number;
  y: number;
}

/**
 * Labels, each as near to its preferred place as marks and previous labels allow. Each has several
 * candidate places, such as both sides of its mark, and takes the first of those that move it
 * least.
 */
export function apart<L extends Label>(
  labels: readonly (readonly L[])[],
  gap: number,
  marks: readonly Label[] = [],
): L[] {
  const taken: Label[] = [...marks];
  const moved = (label: L): L => {
    const beside = taken.filter(({ left, right }) => left < label.right && label.left < right);
    const tried = [label.y, ...beside.flatMap(({ y }) => [y + gap, y - gap])].toSorted(
      (a, b) => Math.abs(a - label.y) - Math.abs(b - label.y),
    );
    const free = tried.find((y) => beside.every((other) => Math.abs(other.y - y) >= gap - 0.01));
    return { ...label, y: free ?? label.y };
  };
  return labels.flatMap((places) => {
    const [best] = places
      .map((label) => ({ label: moved(label), wanted: label.y }))
      .toSorted((a, b) => Math.abs(a.label.y - a.wanted) - Math.abs(b.label.y - b.wanted));
    if (!best) return [];
    taken.push(best.label);
    return [best.label];
  });
}
