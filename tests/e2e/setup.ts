import type { FullConfig } from "@playwright/test";
import { offerDemo } from "./demo";
import { upload } from "./runs";

/**
 * Two machines' runs beside the published figures: one plain, one doubted, one with hostile text.
 * Nothing is stored where the tests were pointed at a server that holds what they need, nor for
 * pictures, which are of the demo.
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const baseURL = config.projects[0]?.use.baseURL;
  const { dataDir } = config.metadata as { dataDir?: string };
  if (baseURL && dataDir && !process.env.SHOTS) {
    process.env.E2E_RUNS = JSON.stringify(await upload(baseURL, dataDir));
  }
  return offerDemo();
}
