import type { FullConfig } from "@playwright/test";
import { offerDemo } from "./demo";
import { upload } from "./runs";

/**
 * Store two machines' runs besides the published figures: one plain, one doubtful, one with hostile
 * text. Nothing is stored if the tests use another server that has what they need, nor for
 * screenshots, which show the demo.
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const baseURL = config.projects[0]?.use.baseURL;
  const { dataDir } = config.metadata as { dataDir?: string };
  if (baseURL && dataDir && !process.env.SHOTS) {
    process.env.E2E_RUNS = JSON.stringify(await upload(baseURL, dataDir));
  }
  return offerDemo();
}
