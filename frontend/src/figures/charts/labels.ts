/** Short names of series: parts that all share are dropped, distinguishing ones stay. */

const BETWEEN = " · ";
/** Mean width of a character in our small labels. */
const PER_CHARACTER = 6.4;
/** Minimum length of a truncated part. */
const LEAST = 3;

/** About how wide a text is, in pixels. */
export const widthOf = (text: string) => text.length * PER_CHARACTER;

/** Whether that shortens none of them inside a part. */
export const areWhole = (labels: readonly string[], width: number): boolean =>
  shortened(labels, width).every((label) => !label.includes("…"));

/** The labels of one chart in `width` pixels each; equal only if they were equal before. */
export function shortened(labels: readonly string[], width: number): string[] {
  const split = labels.map((label) => label.split(BETWEEN));
  const different = new Set(labels).size > 1;
  const own = split.map((parts) =>
    parts.filter((part) => !different || !split.every((other) => other.includes(part))),
  );
  const room = Math.floor(width / PER_CHARACTER);
  return own.map((parts, place) => cut(parts.length > 0 ? parts : (split[place] ?? []), room));
}

/** Shorten the longest part first, and keep a number at its end, which is the most distinctive. */
function cut(parts: readonly string[], room: number): string {
  const split = parts.map((part) => {
    const tail = / \S{1,4}$/.exec(part)?.[0] ?? "";
    return { head: Array.from(part.slice(0, part.length - tail.length)), tail };
  });
  const kept = split.map(({ head }) => head.length);
  const written = () =>
    split
      .map(({ head, tail }, place) => {
        const n = kept[place] ?? 0;
        return n < head.length
          ? `${head.slice(0, n).join("").trimEnd()}…${tail}`
          : head.join("") + tail;
      })
      .join(BETWEEN);
  for (let most = Math.max(...kept); written().length > room && most > LEAST; ) {
    kept[kept.indexOf(most)] = most - 1;
    most = Math.max(...kept);
  }
  return written();
}
