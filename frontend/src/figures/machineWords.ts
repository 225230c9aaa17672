import type { MachineSummary } from "../api/types";

/** By its model's name, else by the beginning of its id. */
export function machineTitle({
  model_name,
  id,
}: Pick<MachineSummary, "model_name" | "id">): string {
  return model_name ?? `Machine ${id.slice(0, 8)}`;
}
