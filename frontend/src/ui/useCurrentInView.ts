import { type RefObject, useEffect, useRef } from "react";

/** Of a row of links that may be longer than its place, the current one is in view. */
export function useCurrentInView<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  // After every render: whichever link is current is known to the link itself.
  useEffect(() => {
    const row = ref.current;
    const current = row?.querySelector<HTMLElement>("[aria-current=page]");
    if (!row || !current) return;
    const [box, link] = [row.getBoundingClientRect(), current.getBoundingClientRect()];
    // Not by scrollIntoView, which would scroll the page too.
    if (link.left < box.left || link.right > box.right) {
      row.scrollLeft += link.left - box.left - (box.width - link.width) / 2;
    }
  });
  return ref;
}
