import { useMemo } from "react";
import type { Chart } from "../api/types";
import { Breakable } from "../ui/Breakable";
import { placesOf } from "./cases";
import { MarkLink } from "./charts/MarkLink";
import styles from "./GridFigure.module.css";
import { LaneTip } from "./Tips";

/** Cases by two dimensions as a table: digits in each cell, shaded on its column's scale. */
export default function GridFigure({ chart }: { chart: Chart }) {
  const places = useMemo(() => placesOf(chart), [chart]);
  const { grid, up } = chart;
  if (!grid) return null;
  // A shade compares the figures of a column: a single one has none, and needs no scale.
  const shaded = grid.columns.some(
    (_, place) => grid.rows.filter(({ cells }) => cells[place]).length > 1,
  );
  return (
    <>
      <div className={styles.scroll} data-placed>
        <table className={styles.grid}>
          <caption className="visually-hidden">{chart.title}</caption>
          <thead>
            <tr>
              <th scope="col">
                {grid.title} <span className="quiet">{up.title}</span>
              </th>
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
                {row.cells.map((cell, place) => {
                  const found = cell && places.get(cell.lane);
                  if (!cell || !found) {
                    return (
                      <td key={grid.columns[place]} className="quiet">
                        –
                      </td>
                    );
                  }
                  const { lane } = found;
                  const shade = shaded ? { "--shade": `${Math.round(cell.shade * 100)}%` } : {};
                  return (
                    <td key={grid.columns[place]} style={shade as React.CSSProperties}>
                      <MarkLink
                        {...found}
                        className={styles.cell}
                        hovered
                        tip={<LaneTip {...found} chart={chart} />}
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
          <span>lowest of its column</span>
          <span className={styles.ramp} aria-hidden="true" />
          <span>highest</span>
        </p>
      ) : null}
    </>
  );
}
