import { counted, inUnit, percent, scaleFor } from "../../ui/format";
import { RatioChart, type RatioPart } from "../../figures/sides/RatioChart";
import type { ChangePart, ChangeRow, Figure } from "./changeParts";
import { changeText } from "../../figures/changes";
import { DataTable } from "../../ui/DataTable";
import styles from "./SideBySide.module.css";

/** Each figure as it was frozen and as it is today. */
export function SideBySide({ parts }: { parts: ChangePart[] }) {
  const drawn = parts.map(
    ({ title, mark, rows }): RatioPart => ({
      title,
      rows: rows.map((row) => ({
        id: row.id,
        label: row.label,
        ratio: row.ratio,
        text: changeInWords(row),
        mark,
        hollow: row.hollow,
      })),
    }),
  );
  return (
    <section className={styles.both} aria-labelledby="both">
      <h2 id="both">Frozen and live, side by side</h2>
      <RatioChart
        parts={drawn}
        name="live figures relative to frozen ones"
        reference="the frozen figure; right of it, the live one is larger"
      />
      <DataTable name="Frozen and live figures" className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col" className="number">
              Frozen
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Live
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Change
            </th>
          </tr>
        </thead>
        {parts.map((part) => (
          <Part key={part.id} part={part} />
        ))}
      </DataTable>
    </section>
  );
}

function Part({ part: { title, unit, relative, rows } }: { part: ChangePart }) {
  const figures = rows.flatMap(({ frozen, live }) => [frozen, live]);
  const scale = scaleFor(
    unit,
    figures.flatMap((figure) => figure?.median ?? []),
  );
  const shown = (figure: Figure | undefined) => {
    if (typeof figure?.median !== "number") return "–";
    if (!relative) return inUnit(figure.median, scale);
    return figure.ratio ? percent(figure.ratio.value) : "–";
  };
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={6} className={styles.metric}>
          {title} <span className="quiet">{relative ? "relative" : scale.symbol}</span>
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <bdi>{row.label}</bdi>
          </th>
          <td className="number">{shown(row.frozen)}</td>
          <td>{sizeText(row.frozen)}</td>
          <td className="number">{shown(row.live)}</td>
          <td>{sizeText(row.live)}</td>
          <td className="number">{changeInWords(row)}</td>
        </tr>
      ))}
    </tbody>
  );
}

function sizeText(figure: Figure | undefined): string {
  if (!figure) return "–";
  return `${counted(figure.machines ?? 0, "machine")}, ${counted(figure.runs ?? 0, "run")}`;
}

function changeInWords({ frozen, live, ratio }: ChangeRow): string {
  if (!frozen) return "new since";
  if (!live) return "gone since";
  return ratio === undefined ? "–" : changeText(ratio);
}
