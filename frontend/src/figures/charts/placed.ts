/** A chart of text and strips, converted to SVG as the browser laid it out. */

export interface Drawn {
  parts: string[];
  width: number;
  height: number;
}

const quoted = (text: string) =>
  new XMLSerializer().serializeToString(document.createTextNode(text));

interface TextLine {
  text: string;
  left: number;
  right: number;
  top: number;
  height: number;
}

/** The lines into which a text wraps, each with its position. */
function linesOf(node: Text): TextLine[] {
  const lines: TextLine[] = [];
  const range = document.createRange();
  for (const match of node.data.matchAll(/\S+/g)) {
    range.setStart(node, match.index);
    range.setEnd(node, match.index + match[0].length);
    const { left, right, top, height } = range.getBoundingClientRect();
    if (right === left) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.top - top) < 4) {
      last.text += ` ${match[0]}`;
      last.right = right;
    } else lines.push({ text: match[0], left, right, top, height });
  }
  return lines;
}

/** Its texts and outer SVGs, at `x` and `y`; `styled` copies an SVG with its styles. */
export function placed(
  chart: Element,
  x: number,
  y: number,
  styled: (svg: SVGSVGElement) => SVGSVGElement,
): Drawn {
  const box = chart.getBoundingClientRect();
  const parts: string[] = [];
  for (const svg of chart.querySelectorAll<SVGSVGElement>("svg")) {
    if (svg.parentElement?.closest("svg")) continue;
    const at = svg.getBoundingClientRect();
    const copy = styled(svg);
    for (const [name, value] of Object.entries({
      x: x + at.left - box.left,
      y: y + at.top - box.top,
      width: at.width,
      height: at.height,
    })) {
      copy.setAttribute(name, String(value));
    }
    copy.setAttribute("overflow", "visible");
    parts.push(new XMLSerializer().serializeToString(copy));
  }
  const texts = document.createTreeWalker(chart, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest("svg, .visually-hidden")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(parent);
    for (const line of linesOf(node as Text)) {
      const left = x + line.left - box.left;
      const base = y + line.top - box.top + line.height * 0.78;
      // A fallback font may be wider: keep each text's width.
      const room = (line.right - line.left).toFixed(1);
      parts.push(
        `<text x="${left}" y="${base}" textLength="${room}" lengthAdjust="spacingAndGlyphs" fill="${color}" font-size="${fontSize}" font-weight="${fontWeight}">${quoted(line.text)}</text>`,
      );
    }
  }
  return { parts, width: box.width, height: box.height };
}
