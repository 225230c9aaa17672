import type { Chart, Figure } from "../api/types";
import { moment } from "../ui/format";
import { wholeName } from "./ranking";

/** The table of each chart as Markdown, then its sources, and the link with its date. */
export function markdownOf(figure: Figure, link: string, asOf: string): string {
  const sources = (figure.sources ?? []).map(({ dagger, text }) => `${dagger} ${text}`);
  return [
    ...figure.charts.flatMap((chart) => [`**${escaped(chart.title)}**`, tableOf(chart)]),
    [...(figure.told ?? []), `as of ${moment(asOf)}`].map(escaped).join(" · "),
    ...sources.map(escaped),
    `Source: [Macmeter](${link})`,
  ].join("\n\n");
}

function tableOf({ cases = [], columns = [] }: Chart): string {
  const shownColumns = columns.filter(({ id }) => id !== "flags" && id !== "cited");
  const heads = shownColumns.map(({ title, unit }) => (unit ? `${title}, ${unit}` : title));
  const hasNames = cases.some(({ lanes }) => lanes.some(({ name }) => name));
  let heading = cases[0];
  const lines = cases.flatMap((row) => {
    if (row.heading) heading = row;
    return row.lanes.map((lane) => [
      wholeName(heading ?? row, row),
      ...(hasNames ? [lane.name ?? ""] : []),
      ...shownColumns.map(({ id }) =>
        id === "value"
          ? [`${lane.text}${lane.dagger ?? ""}`, lane.of ?? ""].filter(Boolean).join(" ")
          : (lane.cells?.[id] ?? ""),
      ),
    ]);
  });
  const rule = [
    "---",
    ...(hasNames ? ["---"] : []),
    ...shownColumns.map((column) => (column.numeric ? "--:" : "---")),
  ];
  return [
    ["Case", ...(hasNames ? ["Metric"] : []), ...heads].map(escaped),
    rule,
    ...lines.map((line) => line.map(escaped)),
  ]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

/** Escape names, which come from people and agents, so that none creates a cell, link or tag. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\u2066-\u2069]/gu, "")
    .replaceAll(/[\\`*_[\]<>|#]/gu, (sign) => `\\${sign}`);
}
