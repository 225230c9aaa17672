/** Whether the browser lets the page copy: only in a secure context. */
export const canCopy = () => typeof navigator.clipboard?.write === "function";

/**
 * Copy a text that is still to come. Call it during a press, as Safari requires. Returns whether it
 * was copied.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    await blob.catch(() => undefined);
    return false;
  }
}
