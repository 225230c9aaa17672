/** Ticks and domains: arithmetic only, in the units that are drawn. */

export interface Axis {
  domain: [number, number];
  ticks: number[];
}

/** From zero to a round number above `largest`, in steps of 1, 2 or 5 times a power of ten. */
export function zeroAxis(largest: number, steps = 5): Axis {
  const top = largest > 0 && Number.isFinite(largest) ? largest : 1;
  const raw = top / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10) * power;
  const ticks: number[] = [];
  const last = Math.ceil((top / step) * 0.9999);
  for (let i = 0; i <= last; i++) ticks.push(Number((i * step).toPrecision(12)));
  return { domain: [0, ticks.at(-1) ?? top], ticks };
}

const RATIOS = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 10,
  20, 50, 100,
];

/**
 * Around 100%, on a logarithmic scale: half and double are equally far from it. At least 80% to
 * 110%, so that differences of a percent do not look like cliffs.
 */
export function ratioAxis(values: Iterable<number>, most = 9): Axis {
  let low = 0.8;
  let high = 1.1;
  for (const value of values) {
    if (value > 0) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const from = RATIOS.findLast((tick) => tick <= low * 0.995) ?? low;
  const to = RATIOS.find((tick) => tick >= high * 1.005) ?? high;
  const inside = RATIOS.filter((tick) => tick >= from && tick <= to);
  const ticks = thinned(inside, most);
  // The lower end gets a tick if it is well apart from the next.
  const isApart = ticks.length < most && (ticks[0] ?? from) >= from * 1.4;
  return { domain: [from, to], ticks: isApart ? [from, ...ticks] : ticks };
}

/** Every other tick dropped until `most` are left; 1 stays. */
function thinned(ticks: number[], most: number): number[] {
  if (ticks.length <= most) return ticks;
  const middle = ticks.indexOf(1);
  return thinned(
    ticks.filter((_, place) => (place - middle) % 2 === 0),
    most,
  );
}

/**
 * Heights for labels that want to be at `wanted` and need `gap` between them, each moved as
 * little as its neighbours allow, all within `limits`. In the order given.
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

/** Room that a label takes, and the height it wants to be at. */
export interface Label {
  left: number;
  right: number;
  y: number;
}

/** Heights for labels, each as near to what it wants as marks and the labels before it allow. */
export function apart(labels: readonly Label[], gap: number, marks: readonly Label[] = []) {
  const taken = [...marks];
  return labels.map((label) => {
    const beside = taken.filter(({ left, right }) => left < label.right && label.left < right);
    const tried = [label.y, ...beside.flatMap(({ y }) => [y + gap, y - gap])].toSorted(
      (a, b) => Math.abs(a - label.y) - Math.abs(b - label.y),
    );
    const free = tried.find((y) => beside.every((other) => Math.abs(other.y - y) >= gap - 0.01));
    const y = free ?? label.y;
    taken.push({ ...label, y });
    return y;
  });
}
