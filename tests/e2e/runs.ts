import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type SuiteRuns, suiteUploads } from "./suites";
import { uuid7 } from "./uuid7";

const ROOT = join(__dirname, "../..");
const run = promisify(execFile);

/** Ids of the runs that the tests stored. */
export interface StoredRuns {
  plain: string;
  doubted: string;
  /** The golden document full of markup, formulas and direction marks. */
  hostile: string;
  /** Token of the plain run's machine. */
  token: string;
  machine: string;
  /** A run of every suite. */
  suites: SuiteRuns;
}

export function stored(): StoredRuns {
  const known = process.env.E2E_RUNS;
  if (!known) throw new Error("no runs were stored: the server under test is not ours");
  return JSON.parse(known) as StoredRuns;
}

export async function upload(baseURL: string, dataDir: string): Promise<StoredRuns> {
  const machine = randomUUID();
  const { uploads, runs: suites } = suiteUploads();
  const [token = "", ofHostile = "", ...others] = await freshTokens(dataDir, 2 + uploads.length);
  const plain = document(machine, { storage: "thunderbolt5", encryption: "none" });
  const doubted = document(machine, { storage: "usb4", encryption: "none" }, [
    { code: "reads_may_be_cached", detail: "12% of the pages were resident" },
  ]);
  await put(baseURL, token, plain.id, JSON.stringify(plain));
  await put(baseURL, token, doubted.id, JSON.stringify(doubted));
  const hostile = hostileDocument();
  await put(baseURL, ofHostile, hostile.id, hostile.text);
  for (const [place, { documents }] of uploads.entries()) {
    for (const one of documents)
      await put(baseURL, others[place] ?? "", one.id, JSON.stringify(one));
  }
  return { plain: plain.id, doubted: doubted.id, hostile: hostile.id, token, machine, suites };
}

/** Issue tokens for that many devices at once, which is faster than one by one. */
export async function freshTokens(dataDir: string, count: number): Promise<string[]> {
  const { stdout } = await run(
    join(ROOT, ".venv/bin/python"),
    [join(__dirname, "tokens.py"), String(count)],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  return stdout.trim().split("\n");
}

export async function put(baseURL: string, token: string, id: string, text: string): Promise<void> {
  const response = await fetch(`${baseURL}/api/v1/runs/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: text,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

/** The golden document with hostile text in every string that allows it. */
function hostileDocument(): { id: string; text: string } {
  const file = join(ROOT, "tests/documents/hostile.json");
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  const text = readFileSync(file, "utf8");
  return { id: (JSON.parse(text) as { id: string }).id, text };
}

const SIZES = [2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000];

/** A whole `graded-files` run with distinguishable figures. */
export function document(
  machine: string,
  target: { storage: string; encryption: string },
  warnings: { code: string; detail: string }[] = [],
) {
  const started = new Date(Date.now() - 3_600_000);
  return {
    schema: "macmeter.run/1",
    id: uuid7(started),
    suite: "disk",
    source: "measured",
    state: "complete",
    method: {
      name: "graded-files",
      version: 1,
      parameters: { sets: 3, seed: 7, block_size: 1048576, cache: "invalidated" },
    },
    started_at: started.toISOString(),
    finished_at: new Date(started.getTime() + 240_000).toISOString(),
    agent: { version: "0.1.0", platform: "macos-arm64" },
    machine: {
      id: machine,
      model: "Mac16,11",
      model_name: "Mac mini",
      chip: "Apple M4 Pro",
      memory_bytes: 51539607552,
    },
    environment: { os_version: "26.4", power_source: "ac", busy: [] },
    target: { ...target, file_system: "apfs", simultaneous: 1 },
    series: [
      ...SIZES.flatMap((size, place) => {
        const positions = [1 + place, 17 + place, 33 + place];
        const speed = (peak: number, knee: number) =>
          positions.map((_, set) => Math.round((peak * size * (1 + set / 100)) / (size + knee)));
        const parameters = { file_size: size * 1_000_000 };
        return [
          { metric: "disk.write_speed", parameters, values: speed(5.1e9, 2), positions },
          { metric: "disk.read_speed", parameters, values: speed(5.4e9, 4), positions },
        ];
      }),
      { metric: "disk.write_average", parameters: {}, values: [4.81e9, 4.83e9, 4.87e9] },
      { metric: "disk.read_average", parameters: {}, values: [5.11e9, 5.13e9, 5.19e9] },
    ],
    warnings,
  };
}

/** Facts of a run besides its figures. */
export interface Told {
  machine: string;
  chip?: string;
  os?: string;
  labels: Record<string, string>;
  started: Date;
}

/** A run of latencies, which no other parallel test looks at. */
export function latencyRun(told: Told, seconds: number[]) {
  const series = [{ metric: "disk.latency", parameters: { test: "read 1" }, values: seconds }];
  return runOf(told, "latency", series);
}

/** A run of one long write that slows down after two seconds. */
export function sustainedRun(told: Told) {
  const series = [4e9, 4e9, 2e9, 2e9].map((speed, index) => ({
    metric: "disk.sustained_write_speed",
    parameters: { elapsed: index + 1 },
    values: [speed],
  }));
  return runOf(told, "sustained-write", series);
}

function runOf(told: Told, method: string, series: object[]) {
  const whole = document(told.machine, { storage: "other", encryption: "none" });
  return {
    ...whole,
    id: uuid7(told.started),
    started_at: told.started.toISOString(),
    finished_at: new Date(told.started.getTime() + 60_000).toISOString(),
    machine: { ...whole.machine, chip: told.chip ?? whole.machine.chip },
    environment: { ...whole.environment, os_version: told.os ?? "26.4" },
    method: { name: method, version: 1, parameters: {} },
    labels: told.labels,
    series,
  };
}
