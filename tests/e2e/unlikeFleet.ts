import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(__dirname, "../..");
const BIN = join(ROOT, ".venv/bin");
const run = promisify(execFile);

export interface Fleet {
  address: string;
  stop: () => Promise<void>;
}

/** A server with an invented fleet unlike the demo's: `support.unlike` names them; "" is empty. */
export async function serveFleet(name: string): Promise<Fleet> {
  const dataDir = mkdtempSync(join(tmpdir(), "macmeter-e2e-fleet-"));
  const port = String(20_000 + Math.floor(Math.random() * 10_000));
  const address = `http://127.0.0.1:${port}`;
  const env = { ...process.env, DATA_DIR: dataDir, PORT: port, ACCEPT_SIMULATED: "1" };
  const child = spawn(join(BIN, "macmeter-server"), ["serve", "--with-parent"], {
    env: { ...env, PATIENCE: "20" },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.race([
      ready(address),
      ended.then(() => Promise.reject(new Error("the server ended"))),
    ]);
    if (name) {
      const load = ["-m", "support.unlike", name];
      await run(join(BIN, "python"), load, { cwd: join(ROOT, "tests"), env });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, stop };
}

async function ready(address: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((later) => setTimeout(later, 200));
  }
}
