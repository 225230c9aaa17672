import type { RunSummary } from "../api/types";
import { day, moment } from "../ui/format";

export function machineName(machine: RunSummary["machine"]): string {
  if (machine.model_name || machine.model) return machine.model_name ?? machine.model ?? "";
  return machine.unspecified ? "Machine not stated" : `Machine ${machine.id.slice(0, 8)}`;
}

/** When it ran; a published one when its article appeared. */
export function whenText(run: RunSummary): string {
  if (run.source === "published") {
    return run.citation?.published ? day(run.citation.published) : "Undated article";
  }
  return moment(run.started_at ?? run.received_at);
}

/** A version that is all figures is a macOS; other systems name themselves. */
export function isMacOS(version: string): boolean {
  return /^\d+(\.\d+)*$/.test(version);
}
