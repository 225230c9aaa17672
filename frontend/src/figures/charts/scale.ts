/** Placement of labels that would overlap: pure arithmetic, in pixels. */

/**
 * Heights for labels that prefer `wanted` and need `gap` between them, each moved as little as its
 * neighbours allow, all within `limits`. In the order given.
 */
export function spread(heights: number[], gap: number, limits: [number, number]): number[] {
  const order = heights
    .map((_, index) => index)
    .toSorted((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed: number[] = [];
  let previous = limits[0] - gap;
  for (const index of order) {
    previous = Math.max(heights[index] ?? 0, previous + gap);
    placed.push(previous);
  }
  let next = limits[1] + gap;
  for (let i = placed.length - 1; i >= 0; i--) {
    next = Math.min(placed[i] ?? 0, next - gap);
    placed[i] = next;
  }
  const result: number[] = [];
  order.forEach((index, i) => {
    result[index] = placed[i] ?? 0;
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
export function separated<L extends Label>(
  labels: readonly (readonly L[])[],
  gap: number,
  marks: readonly Label[] = [],
): L[] {
  const obstacles: Label[] = [...marks];
  const moved = (label: L): L => {
    const near = obstacles.filter(({ left, right }) => left < label.right && label.left < right);
    const tried = [label.y, ...near.flatMap(({ y }) => [y + gap, y - gap])].toSorted(
      (a, b) => Math.abs(a - label.y) - Math.abs(b - label.y),
    );
    const free = tried.find((y) => near.every((other) => Math.abs(other.y - y) >= gap - 0.01));
    return { ...label, y: free ?? label.y };
  };
  return labels.flatMap((candidates) => {
    const [best] = candidates
      .map((label) => ({ label: moved(label), wanted: label.y }))
      .toSorted((a, b) => Math.abs(a.label.y - a.wanted) - Math.abs(b.label.y - b.wanted));
    if (!best) return [];
    obstacles.push(best.label);
    return [best.label];
  });
}

export interface Place {
  x: number;
  y: number;
}

interface Named {
  /** Its stretches, from left to right. */
  line: readonly (readonly Place[])[];
  /** Width of its name, and its distance from the line's end. */
  width: number;
  after: number;
}

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Distance between the places at which lines are tested for crossing a name. */
const STEP = 6;

/**
 * Where names begin that fit in the area, each to the right of its line's last point or a little
 * above or below it, clear of all lines and of other names; undefined for those that don't.
 */
export function beside(lines: readonly Named[], height: number, area: Area): (Place | undefined)[] {
  const crossed = lines.flatMap(({ line }) => line.flatMap(along));
  const boxes: Area[] = [];
  return lines.map(({ line, width, after }) => {
    const end = line.flat().at(-1);
    if (!end) return undefined;
    const x = end.x + after;
    for (const y of [end.y, end.y - height * 0.8, end.y + height * 0.8]) {
      const box = { left: x, right: x + width, top: y - height / 2, bottom: y + height / 2 };
      const isFree =
        box.right <= area.right &&
        box.top >= area.top &&
        box.bottom <= area.bottom &&
        crossed.every((point) => !isIn(point, box)) &&
        boxes.every(
          (otherBox) =>
            otherBox.right <= box.left ||
            box.right <= otherBox.left ||
            otherBox.bottom <= box.top ||
            box.bottom <= otherBox.top,
        );
      if (isFree) {
        boxes.push(box);
        return { x, y };
      }
    }
    return undefined;
  });
}

const isIn = ({ x, y }: Place, { left, right, top, bottom }: Area) =>
  x > left && x < right && y > top && y < bottom;

/** Places along a stretch, close enough together that no name fits between them. */
function along(points: readonly Place[]): Place[] {
  return points.flatMap((to, index) => {
    const from = points[index - 1] ?? to;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP));
    return Array.from({ length: steps }, (_, n) => {
      const share = (n + 1) / steps;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    });
  });
}
