// Marks that turn the direction of text or have no width: in a document they are content, on the
// screen they would lie about it.
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A document indented, numbers of an array in one line, invisible marks as JSON escapes. */
export function readable(json: string): string {
  let text: string;
  try {
    text = JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // Stored documents were valid once; whatever this is, it is shown as it came.
    text = json;
  }
  return text
    .replace(/\[[^[\]{}"]*\]/g, (list) =>
      list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
    )
    .replace(INVISIBLE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
