/**
 * Whether this server shows a demo's invented figures and its pages must say so
 * (server/http/demo.py).
 */
export const IS_DEMO = document.documentElement.dataset.demo === "true";

/** The home page's description of its figures. */
export const aboutFigures = (isDemo = IS_DEMO) =>
  isDemo
    ? "A demo: its Macs and what they measured are invented. The published figures next to them are real, with their sources."
    : "Benchmarks from real Macs, next to published figures. Every number shows how many Macs are behind it and links to its source.";

/** "macmeter-chips.csv" as "macmeter-demo-chips.csv"; unchanged on other servers. */
export const fileName = (name: string, isDemo = IS_DEMO) =>
  isDemo ? name.replace(/^macmeter(?!-demo)/, "macmeter-demo") : name;

/** Mark the names of downloaded files as coming from a demo. */
export function nameDownloads(): void {
  if (!IS_DEMO) return;
  document.addEventListener(
    "click",
    ({ target }) => {
      const link =
        target instanceof Element ? target.closest<HTMLAnchorElement>("a[download]") : null;
      if (link) link.download = fileName(link.download);
    },
    { capture: true },
  );
}
