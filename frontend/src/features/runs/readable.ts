// Characters that change text direction or have no width: legitimate in a document, but misleading
// on screen.
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Indent a document, with number arrays on one line and invisible characters as JSON escapes. */
export function readable(json: string): string {
  let text: string;
  try {
    text = JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // Stored documents should be valid; show anything else unchanged.
    text = json;
  }
  return text
    .replace(/\[[^[\]{}"]*\]/g, (list) =>
      list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
    )
    .replace(INVISIBLE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
