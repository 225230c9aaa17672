import type { Residency } from "../../api/types";
import { count } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";

/** The chart's points by whole cores of residency. */
export function ResidencyTable({ answer, caption }: { answer: Residency; caption: string }) {
  const rows = answer.panels.flatMap(({ chip, tiers }) =>
    tiers.flatMap(({ tier, bins, group }) =>
      bins.map((bin) => ({ chip, tier, bin, of: answer.groups[group] })),
    ),
  );
  const name = `${caption}: the figures of the chart`;
  return (
    <DataTable name={name}>
      <caption className="visually-hidden">{name}</caption>
      <thead>
        <tr>
          <th scope="col">Chip</th>
          <th scope="col">Core tier</th>
          <th scope="col">Active cores</th>
          {["Median", "p10", "p90"].map((heading) => (
            <th key={heading} scope="col" className="number">
              {heading} <span className="under">{answer.panels[0]?.unit}</span>
            </th>
          ))}
          {["Points", "Runs", "Machines"].map((heading) => (
            <th key={heading} scope="col" className="number">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ chip, tier, bin, of }) => (
          <tr key={`${chip} ${tier} ${bin.low}`} data-bin={`${tier} ${bin.low}`}>
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
            <td className="number">{count(of?.runs ?? 0)}</td>
            <td className="number">{count(of?.machines ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
