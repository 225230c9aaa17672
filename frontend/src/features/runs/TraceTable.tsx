import { count, fixed } from "../../format";
import { DataTable } from "../../ui/DataTable";
import { highest, type Trace, type Use } from "./trace";

interface Props {
  trace: Trace;
  use: Use;
  caption: string;
}

type Values = readonly (number | undefined)[];
interface Line {
  name: string;
  active?: Values;
  frequency?: Values;
  power?: Values;
}

const COLUMNS = [
  { of: "active", heading: "Active", unit: "%", factor: 100, digits: 1 },
  { of: "frequency", heading: "Frequency", unit: "GHz", factor: 1e-9, digits: 2 },
  { of: "power", heading: "Power", unit: "W", factor: 1, digits: 2 },
] as const;

/** The traces in figures: a line for each thing that was drawn. */
export function TraceTable({ trace, use, caption }: Props) {
  const lines: Line[] = [
    { name: "All cores", active: use.plain, power: trace.power },
    { name: "All cores, weighted by frequency", active: use.weighted },
    ...trace.clusters,
    ...trace.cores,
  ];
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
        {lines.map((line) => (
          <tr key={line.name} data-trace={line.name}>
            <th scope="row">
              <bdi>{line.name}</bdi>
            </th>
            <td className="number">
              {count(known(line.active ?? []).length || known(line.power ?? []).length)}
            </td>
            {COLUMNS.map(({ of, factor, digits }) => (
              <Figures key={of} values={line[of] ?? []} factor={factor} digits={digits} />
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

const known = (values: Values) => values.filter((value) => value !== undefined);

interface FiguresProps {
  values: Values;
  factor: number;
  digits: number;
}

function Figures({ values, factor, digits }: FiguresProps) {
  const found = known(values);
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  return [mean, highest(found)].map((value, place) => (
    <td key={place === 0 ? "mean" : "highest"} className="number">
      {found.length === 0 ? "" : fixed(value * factor, digits)}
    </td>
  ));
}
