import { type RefObject, useEffect, useRef } from "react";

/** Scroll a row of links, which may overflow, so that the current one is visible. */
export function useCurrentInView<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  // Run after every render, because only the link knows whether it is current. Use an observer,
  // because measuring here would force an early layout of the whole page.
  useEffect(() => {
    const row = ref.current;
    const current = row?.querySelector<HTMLElement>("[aria-current=page]");
    if (!row || !current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        observer.disconnect();
        const box = entry?.rootBounds;
        const link = entry?.boundingClientRect;
        if (!box || !link) return;
        // scrollIntoView would also scroll the page.
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
