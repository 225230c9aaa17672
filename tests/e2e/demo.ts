import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const BIN = join(__dirname, "../../.venv/bin");
const run = promisify(execFile);
/** Enough Macs to include every chip of the tasks. */
const MACHINES = 60;

interface Demo {
  address: string;
  stop: () => Promise<void>;
}

/** Address of all tests' demo with all its runs, or of the one that DEMO_URL names. */
export function demoAddress(): Promise<string> {
  const { DEMO_URL: running, DEMO_OFFER: offer } = process.env;
  if (running) return Promise.resolve(running);
  if (!offer) throw new Error("Nobody offers a demo: see setup.ts.");
  return new Promise((resolve, reject) => {
    // However long loading takes.
    get(offer, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        said += chunk;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(said);
        else reject(new Error(said));
      });
    }).on("error", reject);
  });
}

/**
 * Start one demo for all tests when the first one asks for its address. Returns a function that
 * stops it; it also stops with this process.
 */
export async function offerDemo(): Promise<() => Promise<void>> {
  let demo: Promise<Demo> | undefined;
  const server = createServer((_, response) => {
    demo ??= startDemo();
    demo.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  process.env.DEMO_OFFER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    server.closeAllConnections();
    await demo?.then(({ stop }) => stop()).catch(() => undefined);
  };
}

async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), "macmeter-e2e-demo-"));
  const port = 30_000 + Math.floor(Math.random() * 10_000);
  await run(join(BIN, "python"), [join(__dirname, "demo_of_today.py"), dataDir, String(MACHINES)]);
  const child = spawn(join(BIN, "python"), ["-m", "demo", "--machines", String(MACHINES)], {
    cwd: join(__dirname, "../../tools"),
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

/** Wait for the last line of loading, which names the file with the truth. */
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
