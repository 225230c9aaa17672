import { counted } from "../../ui/format";
import { RatioChart, type RatioPart } from "../../figures/sides/RatioChart";
import type { ChangePart, ChangeRow, Told } from "./changeParts";
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
          <Part key={part.title} part={part} />
        ))}
      </DataTable>
    </section>
  );
}

function Part({ part: { title, rows } }: { part: ChangePart }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={6} className={styles.metric}>
          <bdi>{title}</bdi>
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <bdi>{row.label}</bdi>
          </th>
          <td className="number">{row.frozen?.text ?? "–"}</td>
          <td>{sizeText(row.frozen)}</td>
          <td className="number">{row.live?.text ?? "–"}</td>
          <td>{sizeText(row.live)}</td>
          <td className="number">{changeInWords(row)}</td>
        </tr>
      ))}
    </tbody>
  );
}

function sizeText(figure: Told | undefined): string {
  if (!figure) return "–";
  return `${counted(figure.machines, "machine")}, ${counted(figure.runs, "run")}`;
}

function changeInWords({ frozen, live, ratio }: ChangeRow): string {
  if (!frozen) return "new since";
  if (!live) return "gone since";
  return ratio === undefined ? "–" : changeText(ratio);
}
