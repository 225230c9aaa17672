import type { Timeline } from "../../api/types";
import { csvCell } from "../../ui/csv";

const HEAD = [
  "run",
  "at",
  "metric",
  "unit",
  "method",
  "source",
  "configuration",
  "os_version",
  "median",
  "samples",
  "flags",
  "new_level",
];

/** Every point of every line, in base units; missing values are empty. */
export function timelineCsv({ lines }: Timeline): string {
  const rows = lines.flatMap((line) => {
    const levels = new Map(line.changes.map(({ run_id, after }) => [run_id, String(after)]));
    const configuration = csvCell(
      Object.entries({ ...line.parameters, ...line.configuration })
        .map(
          ([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
        )
        .join(", "),
    );
    return line.points.map((point) =>
      [
        point.run_id,
        point.at,
        line.metric,
        csvCell(line.unit),
        csvCell(`${line.method} ${line.method_version}`),
        line.source,
        configuration,
        csvCell(point.os_version ?? ""),
        point.value,
        point.samples,
        point.flags.join(" "),
        levels.get(point.run_id) ?? "",
      ].join(","),
    );
  });
  return `${[HEAD.join(","), ...rows].join("\r\n")}\r\n`;
}
