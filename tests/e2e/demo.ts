import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = join(__dirname, "../../.venv/bin/macmeter-server");
/** Enough Macs that every chip of the tasks is among them. */
const MACHINES = 60;

export interface Demo {
  address: string;
  stop: () => Promise<void>;
}

/** A demo with all its runs, or the one that DEMO_URL names. */
export async function startDemo(): Promise<Demo> {
  const running = process.env.DEMO_URL;
  if (running) return { address: running, stop: () => Promise.resolve() };
  const dataDir = mkdtempSync(join(tmpdir(), "macmeter-e2e-demo-"));
  const port = 30_000 + Math.floor(Math.random() * 10_000);
  const child = spawn(PROGRAM, ["demo", "--with-parent", "--machines", String(MACHINES)], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  });
  try {
    await loaded(child);
  } catch (error) {
    await ended(child);
    throw error;
  }
  return {
    address: `http://127.0.0.1:${port}`,
    stop: async () => {
      await ended(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Once the last line of its loading is there, which names the file of what is true. */
function loaded(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("what is true of them")) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the demo ended with ${code}: ${said}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.on("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
