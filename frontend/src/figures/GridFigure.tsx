import { useMemo } from "react";
import type { Chart } from "../api/types";
import { Breakable } from "../ui/Breakable";
import { lanesByIdOf } from "./cases";
import { MarkLink } from "./charts/MarkLink";
import styles from "./GridFigure.module.css";
import { LaneTip } from "./Tips";

/** Cases by two dimensions as a table: digits in each cell, shaded on its column's scale; ratios
 * on one around 0. */
export default function GridFigure({ chart }: { chart: Chart }) {
  const lanesById = useMemo(() => lanesByIdOf(chart), [chart]);
  const { grid, up, columns: [value] = [] } = chart;
  if (!grid) return null;
  const diverging = chart.measure === "ratio";
  // A shade compares the figures of a column: a single one has none, and needs no scale.
  const shaded =
    diverging ||
    grid.columns.some((_, index) => grid.rows.filter(({ cells }) => cells[index]).length > 1);
  return (
    <>
      <div className={styles.scroll} data-placed>
        <table className={styles.grid}>
          <caption>
            <span className="visually-hidden">{chart.title}: </span>
            {value ? `${value.title}, ` : ""}
            {up.title}
          </caption>
          <thead>
            <tr>
              <th scope="col">{grid.title}</th>
              {grid.columns.map((column) => (
                <th key={column} scope="col">
                  <bdi>
                    <Breakable text={column} />
                  </bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map((row) => (
              <tr key={row.label}>
                <th scope="row">
                  <bdi>
                    <Breakable text={row.label} />
                  </bdi>
                </th>
                {row.cells.map((cell, index) => {
                  const entry = cell && lanesById.get(cell.lane);
                  if (!cell || !entry) {
                    return (
                      <td key={grid.columns[index]} className="quiet">
                        –
                      </td>
                    );
                  }
                  const { lane } = entry;
                  const shade = shaded && {
                    "--shade": `${Math.round(Math.abs(cell.shade) * 100)}%`,
                    ...(cell.shade < 0 && { "--heat": "var(--heat-below)" }),
                  };
                  return (
                    <td key={grid.columns[index]} style={(shade || {}) as React.CSSProperties}>
                      <MarkLink
                        {...entry}
                        className={styles.cell}
                        hovered
                        tip={<LaneTip {...entry} chart={chart} />}
                      >
                        {lane.text}
                        {lane.dagger}
                      </MarkLink>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shaded ? (
        <p className={styles.scale}>
          <span>{diverging ? "lower" : "lowest of its column"}</span>
          <span className={styles.ramp} data-diverging={diverging} aria-hidden="true" />
          <span>{diverging ? "higher" : "highest"}</span>
        </p>
      ) : null}
    </>
  );
}
