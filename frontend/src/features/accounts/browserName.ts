/** The first name that fits wins: Edge and Chrome call themselves Safari too. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Macintosh/, "macOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** What a browser calls its own kind, in two words. */
export function browserName(userAgent: string): string {
  const nameIn = (names: [RegExp, string][]) => names.find(([of]) => of.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS) ?? "Another browser";
  const system = nameIn(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
