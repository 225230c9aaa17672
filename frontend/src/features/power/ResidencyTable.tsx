import { useMemo } from "react";
import type { Residency } from "../../api/types";
import { count } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";
import { numberIn, SortHead, type SortedBy, useSorted } from "../../ui/sorting";

interface Row {
  chip: string;
  tier: string;
  bin: Residency["panels"][number]["tiers"][number]["bins"][number];
  group: Residency["groups"][number] | undefined;
}

const COLUMNS: (SortedBy<Row> & { title: string; unit?: true })[] = [
  { id: "chip", title: "Chip", of: ({ chip }) => chip },
  { id: "tier", title: "Core tier", of: ({ tier }) => tier },
  { id: "active", title: "Active cores", of: ({ bin }) => bin.nearest },
  { id: "p50", title: "Median", unit: true, of: ({ bin }) => numberIn(bin.median) },
  { id: "p10", title: "p10", unit: true, of: ({ bin }) => numberIn(bin.p10) },
  { id: "p90", title: "p90", unit: true, of: ({ bin }) => numberIn(bin.p90) },
  { id: "points", title: "Points", of: ({ bin }) => bin.points },
  { id: "runs", title: "Runs", of: ({ group }) => group?.runs },
  { id: "machines", title: "Macs", of: ({ group }) => group?.machines },
];
const TEXTS = new Set(["chip", "tier", "active"]);

/** The chart's points by nearest whole number of cores. */
export function ResidencyTable({ answer, caption }: { answer: Residency; caption: string }) {
  const rows = useMemo(
    () =>
      answer.panels.flatMap(({ chip, tiers }) =>
        tiers.flatMap(({ tier, bins, group }): Row[] =>
          bins.map((bin) => ({ chip, tier, bin, group: answer.groups[group] })),
        ),
      ),
    [answer],
  );
  const sorted = useSorted(rows, COLUMNS);
  const name = `${caption}: the figures of the chart`;
  return (
    <DataTable name={name}>
      <caption className="visually-hidden">{name}</caption>
      <thead>
        <tr>
          {COLUMNS.map(({ id, title, unit }) => (
            <SortHead
              key={id}
              id={id}
              sorted={sorted}
              className={TEXTS.has(id) ? undefined : "number"}
              title={title}
              unit={unit ? answer.panels[0]?.unit : undefined}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.rows.map(({ chip, tier, bin, group }) => (
          <tr key={`${chip} ${tier} ${bin.nearest}`} data-bin={`${tier} ${bin.nearest}`}>
            <th scope="row">
              <bdi>{chip}</bdi>
            </th>
            <td>
              <bdi>{tier}</bdi>
            </td>
            <td>{bin.cores}</td>
            <td className="number">{bin.median}</td>
            <td className="number">{bin.p10}</td>
            <td className="number">{bin.p90}</td>
            <td className="number">{count(bin.points)}</td>
            <td className="number">{count(group?.runs ?? 0)}</td>
            <td className="number">{count(group?.machines ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
