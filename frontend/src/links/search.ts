/**
 * The search part of an address as lists of text by name: any of our parameters may repeat. Nothing
 * is coerced: `12000` stays text, because a label's value may look like anything.
 */
export type SearchLists = Record<string, string[]>;

/**
 * Encode, but keep colons, which separate names from values in our links and would be unreadable
 * escaped.
 */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/");
}

export function parseSearch(search: string): SearchLists {
  const lists: SearchLists = {};
  for (const [name, value] of new URLSearchParams(search)) {
    (lists[name] ??= []).push(value);
  }
  return lists;
}

/** Print without the question mark, names in alphabetical order, values in the order given. */
export function printSearch(lists: SearchLists): string {
  return Object.keys(lists)
    .toSorted()
    .flatMap((name) => (lists[name] ?? []).map((value) => `${encode(name)}=${encode(value)}`))
    .join("&");
}
