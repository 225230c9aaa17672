import { count, counted, fixed } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";
import type { TraceRow } from "./traceQuery";
import type { Reach } from "./traceSteps";

interface Props {
  rows: TraceRow[];
  caption: string;
}

const COLUMNS = [
  { of: "active", heading: "Active", unit: "%", factor: 100, digits: 1 },
  { of: "frequency", heading: "Frequency", unit: "GHz", factor: 1e-9, digits: 2 },
  { of: "power", heading: "Power", unit: "W", factor: 1, digits: 2 },
] as const;

/** Whether it is a core, such as "P0-Cluster 3". */
const isCore = ({ name }: TraceRow) => / \d+$/.test(name);

/** The traces as numbers: one row for each thing drawn, with cores folded. */
export function TraceTable({ rows, caption }: Props) {
  const cores = rows.filter(isCore);
  const others = rows.filter((line) => !isCore(line));
  if (others.length === 0) return <Table rows={cores} caption={caption} />;
  return (
    <>
      <Table rows={others} caption={caption} />
      {cores.length > 0 ? (
        <details>
          <summary>Each of {counted(cores.length, "core")}</summary>
          <Table rows={cores} caption={`${caption}, core by core`} />
        </details>
      ) : null}
    </>
  );
}

function Table({ rows, caption }: Props) {
  return (
    <DataTable name={caption}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Trace</th>
          <th scope="col" className="number">
            Samples
          </th>
          {COLUMNS.flatMap(({ of, heading, unit }) =>
            ["mean", "highest"].map((which) => (
              <th key={`${of} ${which}`} scope="col" className="number">
                {heading}, {which}, {unit}
              </th>
            )),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((line) => (
          <tr key={line.name} data-trace={line.name}>
            <th scope="row">
              <bdi>{line.name}</bdi>
            </th>
            <td className="number">{count(line.samples)}</td>
            {COLUMNS.map(({ of, factor, digits }) => (
              <Figures key={of} reach={line[of]} factor={factor} digits={digits} />
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

interface FiguresProps {
  reach: Reach | undefined;
  factor: number;
  digits: number;
}

function Figures({ reach, factor, digits }: FiguresProps) {
  return [reach?.mean, reach?.high].map((value, index) => (
    <td key={index === 0 ? "mean" : "highest"} className="number">
      {value === undefined ? "" : fixed(value * factor, digits)}
    </td>
  ));
}
