import type { RunDetail } from "../api/types";
import { byteSize, count, moment, nominal, quantity, withUnit } from "../ui/format";
import type { Words } from "./words";
import type { Fact } from "../ui/Facts";
import { isMacOS } from "./runWords";

/**
 * The word for a field of a run document that isn't a dimension, or has another word there. Unknown
 * fields are shown by their own name.
 */
const NAMES: Record<string, string> = {
  id: "Id",
  model_name: "Name",
  gpu_cores: "GPU cores",
  memory_bytes: "Memory",
  core_tiers: "Cores",
  os_version: "macOS",
  os_build: "Build",
  busy: "Busy with",
  capacity_bytes: "Capacity",
  free_bytes: "Free before",
  block_size: "Block size",
};

function nameOf(path: string[], words: Words): string {
  const last = path.at(-1) ?? "";
  const known = NAMES[last] ?? words.dimension(last)?.title;
  const name = known ?? last.replaceAll("_", " ").replace(/ bytes$/, "");
  const above = path.slice(0, -1).map((part) => part.replaceAll("_", " "));
  if (above.length > 0) return capitalised(`${above.join(" ")}: ${name.toLowerCase()}`);
  return known ?? capitalised(name);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "number") {
    // Memory and blocks come in powers of two, disks in powers of ten.
    // What a virtual machine or a Linux kernel leaves of it isn't a round number.
    if (name === "memory_bytes")
      return withUnit(String(Number((value / 2 ** 30).toFixed(1))), "GiB");
    if (name === "block_size" && value % 2 ** 20 === 0) {
      return withUnit(String(value / 2 ** 20), "MiB");
    }
    if (name.endsWith("_bytes") || name === "block_size") return byteSize(value);
    if (name === "link_speed") return nominal(value, "bit/s");
    if (name.endsWith("frequency")) return quantity(value, "Hz");
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? count(value) : String(value);
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (name === "power_source" && value === "ac") return "AC";
  return String(value);
}

/** A document's object as facts, nested ones under their parent's name. Absent values are left out. */
export function factsOf(
  object: Record<string, unknown> | null | undefined,
  words: Words,
  path: string[] = [],
): Fact[] {
  return Object.entries(object ?? {}).flatMap(([name, value]): Fact[] => {
    const here = [...path, name];
    if (value === null || value === undefined || value === "") return [];
    if (name === "core_tiers" && Array.isArray(value))
      return [[nameOf(here, words), tiersText(value)]];
    if (Array.isArray(value)) {
      return value.length === 0
        ? []
        : [[nameOf(here, words), value.map((one) => textOf(name, one)).join(", ")]];
    }
    if (typeof value === "object") return factsOf(value as Record<string, unknown>, words, here);
    if (name === "os_version" && !isMacOS(String(value))) return [["System", String(value)]];
    return [[nameOf(here, words), textOf(name, value)]];
  });
}

/** "10 Performance in clusters of 5 and 5, to 4.51 GHz; 4 Efficiency". */
function tiersText(tiers: unknown[]): string {
  return tiers
    .map((tier) => {
      if (typeof tier !== "object" || tier === null) return String(tier);
      const { name, cores, clusters, max_frequency } = tier as Record<string, unknown>;
      const parts = [`${cores ?? "?"} ${name ?? ""}`];
      if (Array.isArray(clusters) && clusters.length > 1)
        parts.push(`in clusters of ${clusters.join(" and ")}`);
      if (typeof max_frequency === "number") parts.push(`to ${quantity(max_frequency, "Hz")}`);
      return parts.join(" ");
    })
    .join("; ");
}

export function machineFacts(run: RunDetail, words: Words): Fact[] {
  const { unspecified, ...stated } = run.machine as Record<string, unknown>;
  if (unspecified) return [["Machine", "not stated by the article"]];
  return factsOf(stated, words);
}

export function environmentFacts(run: RunDetail, words: Words): Fact[] {
  return factsOf(run.environment, words);
}

export function targetFacts(run: RunDetail, words: Words): Fact[] {
  const { storage, encryption, image, ...rest } = run.target ?? {};
  const facts: Fact[] = [];
  if (typeof storage === "string") facts.push(["Storage", words.value("storage", storage)]);
  if (typeof encryption === "string")
    facts.push(["Encryption", words.value("encryption", encryption)]);
  if (typeof image === "object" && image !== null) {
    const { format, state, ...others } = image as Record<string, unknown>;
    if (typeof format === "string")
      facts.push(["Image format", words.value("image_format", format)]);
    if (typeof state === "string") facts.push(["Image state", words.value("image_state", state)]);
    facts.push(...factsOf(others, words, ["image"]));
  }
  return [...facts, ...factsOf(rest, words)];
}

export function methodFacts(run: RunDetail, words: Words): Fact[] {
  const facts: Fact[] = [["Method", `${run.method} ${run.method_version}`]];
  facts.push(...factsOf(run.method_parameters, words));
  if (run.tool) facts.push(...factsOf(run.tool, words, ["tool"]));
  if (run.agent) facts.push(...factsOf(run.agent, words, ["agent"]));
  for (const [key, value] of Object.entries(run.labels)) facts.push([`Label ${key}`, value]);
  if (run.started_at) facts.push(["Started", moment(run.started_at)]);
  if (run.finished_at) facts.push(["Finished", moment(run.finished_at)]);
  facts.push(["Received", moment(run.received_at)]);
  if (run.traces.length > 0) facts.push(["Traces", run.traces.join(", ")]);
  return facts;
}
