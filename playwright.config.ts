import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

// With BASE_URL the tests speak to a server that runs already. Without it they start one as `make
// serve` does, on a port and a data directory of their own; workers inherit both from here.
const own = process.env.BASE_URL === undefined || process.env.E2E_DATA_DIR !== undefined;
if (own && process.env.E2E_DATA_DIR === undefined) {
  process.env.E2E_DATA_DIR = mkdtempSync(join(tmpdir(), "macmeter-e2e-"));
  process.env.BASE_URL = `http://127.0.0.1:${20_000 + Math.floor(Math.random() * 10_000)}`;
}
const address = process.env.BASE_URL ?? "";
const dataDir = process.env.E2E_DATA_DIR ?? "";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "tests/e2e/test-results",
  // Nothing is measured here: what comes late on a busy machine still comes.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  workers: 2,
  // What takes long and has a shorter form beside it: `make bench ONLY=proofs` asks for it.
  grepInvert: process.env.THOROUGH ? undefined : /@thorough/,
  reporter: "list",
  forbidOnly: process.env.CI !== undefined,
  // Where runs may be stored for the tests: a server that is not ours is only read.
  metadata: { dataDir: own ? dataDir : process.env.DATA_DIR },
  globalSetup: "./tests/e2e/setup.ts",
  use: {
    baseURL: address,
    screenshot: "only-on-failure",
    colorScheme: "light",
    timezoneId: "UTC",
    launchOptions: {
      executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
  webServer: own
    ? {
        command: join(__dirname, "tests/e2e/server.sh"),
        url: `${address}/readyz`,
        env: { PORT: new URL(address).port, DATA_DIR: dataDir, PATIENCE: "20" },
        timeout: 240_000,
        gracefulShutdown: { signal: "SIGTERM", timeout: 60_000 },
      }
    : undefined,
});
