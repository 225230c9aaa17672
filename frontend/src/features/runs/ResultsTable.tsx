import type { RunDetail, RunResult, ResultWords } from "../../api/types";
import { Aligned, mostDecimals } from "../../ui/Aligned";
import type { Words } from "../../figures/words";
import { DataTable } from "../../ui/DataTable";
import { SortHead, type SortedBy, useSorted } from "../../ui/sorting";

/** A result with its formatted values. */
export interface ResultWithWords {
  result: RunResult;
  resultWords: ResultWords;
}

/** Maximum number of rows before the table scrolls under its headings. */
const MOST = 20;

interface Props {
  title: string;
  results: ResultWithWords[];
  /** Printed ratios and ranges, which have no samples. */
  figures: { figure: RunDetail["published"][number]; text: string }[];
  words: Words;
}

const COLUMNS = ["n", "p50", "p10", "p90", "min", "max", "mean"] as const;
const TITLES: Record<(typeof COLUMNS)[number], string> = {
  n: "Samples",
  p50: "Median",
  p10: "p10",
  p90: "p90",
  min: "Lowest",
  max: "Highest",
  mean: "Mean",
};

const SORTED: SortedBy<ResultWithWords>[] = [
  { id: "parameters", of: ({ resultWords }) => resultWords.parameters },
  ...COLUMNS.map((id) => ({ id, of: ({ result }: ResultWithWords) => result[id] })),
];

/** A run's results, each metric in its own unit and sorted separately. */
export function ResultsTable({ title, results, figures, words }: Props) {
  const sorted = useSorted(results, SORTED);
  if (results.length + figures.length === 0) return null;
  const metrics = new Map(results.map(({ result }) => [result.metric, [] as ResultWithWords[]]));
  for (const row of sorted.rows) metrics.get(row.result.metric)?.push(row);
  const parametrised = results.some(({ resultWords }) => resultWords.parameters !== "");
  const flagged = results.some(({ result }) => result.flags.length > 0);
  const width = COLUMNS.length + Number(parametrised) + Number(flagged);
  return (
    <DataTable name={title} long={results.length > MOST}>
      <thead>
        <tr>
          <th scope="col">Result</th>
          {parametrised ? <SortHead id="parameters" sorted={sorted} title="Parameters" /> : null}
          {COLUMNS.map((name) => (
            <SortHead
              key={name}
              id={name}
              sorted={sorted}
              className="number"
              title={TITLES[name]}
            />
          ))}
          {flagged ? <th scope="col">Flags</th> : null}
        </tr>
      </thead>
      <tbody>
        {[...metrics].map(([metric, same]) => (
          <Metric key={metric} results={same} parametrised={parametrised} flagged={flagged} />
        ))}
        {figures.map(({ figure, text }) => (
          <tr key={`${figure.metric}${figure.printed}`}>
            <th scope="row">{words.metricTitle(figure.metric)}</th>
            <td colSpan={width}>
              <bdi>{text}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

interface MetricProps {
  results: ResultWithWords[];
  parametrised: boolean;
  flagged: boolean;
}

function Metric({ results, parametrised, flagged }: MetricProps) {
  const textsOf = (name: string) => results.map(({ resultWords }) => resultWords.cells[name] ?? "");
  const decimals = COLUMNS.map((name) => mostDecimals(textsOf(name)));
  return results.map(({ result, resultWords }, index) => (
    <tr key={JSON.stringify(result.parameters)}>
      {index === 0 ? (
        <th scope="rowgroup" rowSpan={results.length}>
          {result.title}
          <span className="under">{resultWords.unit}</span>
          {resultWords.shared ? <bdi className="under">{resultWords.shared}</bdi> : null}
        </th>
      ) : null}
      {parametrised ? (
        <td>
          <bdi>{resultWords.parameters}</bdi>
        </td>
      ) : null}
      {COLUMNS.map((name, column) => (
        <td key={name} className={name === "p50" ? "number chief" : "number"}>
          <Aligned text={resultWords.cells[name] ?? ""} decimals={decimals[column] ?? 0} />
        </td>
      ))}
      {flagged ? (
        <td className="flags">
          {result.flags.map((flag) => (
            <span key={flag.code} className={flag.severity === "doubt" ? "doubt" : undefined}>
              {flag.sentence}
            </span>
          ))}
        </td>
      ) : null}
    </tr>
  ));
}
