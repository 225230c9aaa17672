/** The little of Markdown that docs/api.md is written in: it is read by people on paper, too. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "code"; language: string; text: string }
  | { kind: "table"; head: string[]; rows: string[][] };

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string; to: string };

export function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  const lines = source.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    const fence = /^```(\w*)$/.exec(line);
    if (line === "") {
      at += 1;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      at += 1;
    } else if (fence) {
      const end = lines.indexOf("```", at + 1);
      if (end < 0) throw new Error(`The code that begins in line ${at + 1} has no end.`);
      const text = lines.slice(at + 1, end).join("\n");
      blocks.push({ kind: "code", language: fence[1] ?? "", text });
      at = end + 1;
    } else {
      const end = endOfParagraph(lines, at);
      const own = lines.slice(at, end);
      blocks.push(line.startsWith("|") ? tableOf(own) : { kind: "paragraph", text: own.join(" ") });
      at = end;
    }
  }
  return blocks;
}

function endOfParagraph(lines: string[], start: number): number {
  const end = lines.findIndex((line, at) => at > start && /^(#|```|$)/.test(line));
  return end < 0 ? lines.length : end;
}

function tableOf(lines: string[]): Block {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .replace(/^\|\s*|\s*\|$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
  return { kind: "table", head, rows };
}

export function inlinesOf(text: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`]+)`|\[((?:`[^`]*`|[^\]])*)\]\(([^)]*)\)/g)) {
    const [whole, code, name, to] = match;
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    if (code !== undefined) found.push({ kind: "code", text: code });
    else found.push({ kind: "link", text: (name ?? "").replaceAll("`", ""), to: to ?? "" });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

/** An id for an address: "Saving and sharing" is saving-and-sharing. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
