import type { Choice } from "./Combobox";

const KEPT = 6;
const storedAs = (list: string) => `macmeter.recents.${list}`;

/** Recent choices of a list in this browser, newest first. */
export function recents(list: string): Choice[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs(list)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isChoice) : [];
  } catch {
    return [];
  }
}

export function remember(list: string, { id, text, note }: Choice): void {
  const others = recents(list).filter((item) => item.id !== id);
  const newest: Choice = { id, text, ...(note ? { note } : {}) };
  try {
    localStorage.setItem(storedAs(list), JSON.stringify([newest, ...others].slice(0, KEPT)));
  } catch {
    // Without storage, there are no recent choices.
  }
}

function isChoice(value: unknown): value is Choice {
  const { id, text, note = "" } = (value ?? {}) as Record<string, unknown>;
  return [id, text, note].every((field) => typeof field === "string");
}
