/** Whether this server shows a demo's invented figures: its pages say so (api/edge/demo.py). */
export const IS_DEMO = document.documentElement.dataset.demo === "true";

/** "macmeter-chips.csv" as "macmeter-demo-chips.csv"; other servers' names stay as they are. */
export const fileName = (name: string, isDemo = IS_DEMO) =>
  isDemo ? name.replace(/^macmeter(?!-demo)/, "macmeter-demo") : name;

/** Whichever link saves a file, the file's name says that it is a demo's. */
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
