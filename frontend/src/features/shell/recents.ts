import type { Place } from "./places";

const STORED = "macmeter.recents";
const KEPT = 6;

/** Recently opened search results in this browser, newest first. */
export function recents(): Place[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(found) ? found.filter(isPlace) : [];
  } catch {
    return [];
  }
}

export function remember(place: Place): void {
  const others = recents().filter(({ href }) => href !== place.href);
  try {
    localStorage.setItem(STORED, JSON.stringify([place, ...others].slice(0, KEPT)));
  } catch {
    // Without storage, there are no recent results.
  }
}

function isPlace(value: unknown): value is Place {
  const { kind, title, href } = (value ?? {}) as Record<string, unknown>;
  return [kind, title, href].every((one) => typeof one === "string") && String(href)[0] === "/";
}
