import { useMemo } from "react";
import type { Residency } from "../../api/types";
import { count, counted, fixed } from "../../format";
import styles from "../answer/AnswerTable.module.css";
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
    <div className={styles.scroll} role="region" aria-label={name} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col">Chip</th>
            <th scope="col">Core tier</th>
            <th scope="col">Active cores</th>
            {["Median", "p10", "p90"].map((heading) => (
              <th key={heading} scope="col" className={styles.number}>
                {heading} <span className={styles.unit}>GHz</span>
              </th>
            ))}
            {["Points", "Runs", "Machines"].map((heading) => (
              <th key={heading} scope="col" className={styles.number}>
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
                <td key={["median", "p10", "p90"][place]} className={styles.number}>
                  {fixed(value / 1e9, 3)}
                </td>
              ))}
              <td className={styles.number}>{count(bin.n)}</td>
              <td className={styles.number}>{count(group.runs)}</td>
              <td className={styles.number}>{count(group.machines)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
