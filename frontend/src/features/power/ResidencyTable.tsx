import { useMemo } from "react";
import type { Residency } from "../../api/types";
import { count, counted, fixed } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";
import { binsOf, panelsOf } from "./residency";

/** The chart's points by whole cores of residency. */
export function ResidencyTable({ answer, caption }: { answer: Residency; caption: string }) {
  const rows = useMemo(
    () =>
      panelsOf(answer).flatMap(({ chip, groups }) =>
        groups.flatMap(({ group, tier }) =>
          binsOf(group.points).map((bin) => ({ chip, tier, group, bin })),
        ),
      ),
    [answer],
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
              {heading} <span className="under">GHz</span>
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
        {rows.map(({ chip, tier, group, bin }) => (
          <tr key={`${chip} ${tier} ${bin.low}`} data-bin={`${tier} ${bin.low}`}>
            <th scope="row">
              <bdi>{chip}</bdi>
            </th>
            <td>
              <bdi>{tier}</bdi>
            </td>
            <td>
              {bin.low} to {counted(bin.low + 1, "core")}
            </td>
            {[bin.median, bin.p10, bin.p90].map((value, place) => (
              <td key={["median", "p10", "p90"][place]} className="number">
                {fixed(value / 1e9, 3)}
              </td>
            ))}
            <td className="number">{count(bin.n)}</td>
            <td className="number">{count(group.runs)}</td>
            <td className="number">{count(group.machines)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
