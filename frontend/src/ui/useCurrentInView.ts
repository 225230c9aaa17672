import { type RefObject, useEffect, useRef } from "react";

/** Of a row of links that may be longer than its place, the current one is in view. */
export function useCurrentInView<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  // After every render: whichever link is current is known to the link itself. By an observer, because
  // measuring here would lay out the whole page before its time.
  useEffect(() => {
    const row = ref.current;
    const current = row?.querySelector<HTMLElement>("[aria-current=page]");
    if (!row || !current) return undefined;
    const observer = new IntersectionObserver(
      ([seen]) => {
        observer.disconnect();
        const box = seen?.rootBounds;
        const link = seen?.boundingClientRect;
        if (!box || !link) return;
        // Not by scrollIntoView, which would scroll the page too.
        if (link.left < box.left || link.right > box.right) {
          row.scrollLeft += link.left - box.left - (box.width - link.width) / 2;
        }
      },
      { root: row },
    );
    observer.observe(current);
    return () => observer.disconnect();
  });
  return ref;
}
