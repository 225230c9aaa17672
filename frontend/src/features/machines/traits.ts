import type { MachineDetail } from "../../api/types";
import type { Clause } from "../../links/clause";

/** What similar Macs can have in common with this machine and its main line. */
export function traitsOf(machine: MachineDetail, configuration: Record<string, unknown>): Clause[] {
  const stated: [string, unknown][] = [
    ["chip", machine.chip],
    ["virtual", machine.virtual],
    ...["storage", "encryption", "image_format", "power_mode"].map((name): [string, unknown] => [
      name,
      configuration[name],
    ]),
    ["os_version", machine.os_version],
  ];
  return stated.flatMap(([dimension, value]): Clause[] =>
    value === null || value === undefined ? [] : [{ dimension, op: "is", value: String(value) }],
  );
}
