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
  const distinct = split.map((parts) =>
    parts.filter((part) => !different || !split.every((otherParts) => otherParts.includes(part))),
  );
  const room = Math.floor(width / PER_CHARACTER);
  return distinct.map((parts, index) => cut(parts.length > 0 ? parts : (split[index] ?? []), room));
}

/** Shorten the longest part first, and keep a number at its end, which is the most distinctive. */
function cut(parts: readonly string[], room: number): string {
  const split = parts.map((part) => {
    const tail = / \S{1,4}$/.exec(part)?.[0] ?? "";
    return { head: Array.from(part.slice(0, part.length - tail.length)), tail };
  });
  const lengths = split.map(({ head }) => head.length);
  const written = () =>
    split
      .map(({ head, tail }, index) => {
        const n = lengths[index] ?? 0;
        return n < head.length
          ? `${head.slice(0, n).join("").trimEnd()}…${tail}`
          : head.join("") + tail;
      })
      .join(BETWEEN);
  for (let most = Math.max(...lengths); written().length > room && most > LEAST; ) {
    lengths[lengths.indexOf(most)] = most - 1;
    most = Math.max(...lengths);
  }
  return written();
}
