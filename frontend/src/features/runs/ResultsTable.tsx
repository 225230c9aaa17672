import type { RunDetail, RunResult } from "../../api/types";
import { count, inUnit, printedIn, type Scale, scaleFor } from "../../ui/format";
import { Aligned, mostDecimals } from "../../ui/Aligned";
import { listed, uncapitalised, type Words } from "../../figures/words";
import { DataTable } from "../../ui/DataTable";

interface Props {
  title: string;
  results: RunResult[];
  /** Printed ratios and ranges, which have no samples. */
  figures: RunDetail["published"];
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

/** A run's results, each metric in its own unit. */
export function ResultsTable({ title, results, figures, words }: Props) {
  if (results.length + figures.length === 0) return null;
  const metrics = Map.groupBy(results, (result) => result.metric);
  const parametrised = results.some(({ parameters }) => Object.keys(parameters).length > 0);
  const flagged = results.some(({ flags }) => flags.length > 0);
  const width = COLUMNS.length + Number(parametrised) + Number(flagged);
  return (
    <DataTable name={title}>
      <thead>
        <tr>
          <th scope="col">Result</th>
          {parametrised ? <th scope="col">Parameters</th> : null}
          {COLUMNS.map((name) => (
            <th key={name} scope="col" className="number">
              {TITLES[name]}
            </th>
          ))}
          {flagged ? <th scope="col">Flags</th> : null}
        </tr>
      </thead>
      <tbody>
        {[...metrics].map(([metric, same]) => (
          <Metric
            key={metric}
            results={same}
            words={words}
            parametrised={parametrised}
            flagged={flagged}
          />
        ))}
        {figures.map((figure) => (
          <tr key={`${figure.metric}${figure.printed}`}>
            <th scope="row">{words.metricTitle(figure.metric)}</th>
            <td colSpan={width}>
              <strong>
                {figure.qualifier ? `${figure.qualifier} ` : ""}
                {figure.printed}†
              </strong>
              {figure.kind === "ratio" ? ` of ${keyText(figure.to, words)}` : ""}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

interface MetricProps {
  results: RunResult[];
  words: Words;
  parametrised: boolean;
  flagged: boolean;
}

function Metric({ results, words, parametrised, flagged }: MetricProps) {
  const scale = scaleFor(
    results[0]?.unit ?? "",
    results.map((result) => result.p50),
  );
  const rows = results.map((result) => COLUMNS.map((name) => cellText(result, name, scale)));
  const decimals = COLUMNS.map((_, column) => mostDecimals(rows.map((row) => row[column] ?? "")));
  return results.map((result, place) => (
    <tr key={JSON.stringify(result.parameters)}>
      {place === 0 ? (
        <th scope="rowgroup" rowSpan={results.length}>
          {result.title}
          <span className="under">{scale.symbol}</span>
        </th>
      ) : null}
      {parametrised ? (
        <td>
          <bdi>{keyText(result.parameters, words)}</bdi>
        </td>
      ) : null}
      {COLUMNS.map((name, column) => (
        <td key={name} className={name === "p50" ? "number chief" : "number"}>
          <Aligned text={rows[place]?.[column] ?? ""} decimals={decimals[column] ?? 0} />
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

/** A printed figure is shown once, with its digits as printed. */
function cellText(result: RunResult, name: (typeof COLUMNS)[number], scale: Scale): string {
  if (name === "n") return count(result.n);
  if (result.printed === null) return inUnit(result[name], scale);
  if (name !== "p50") return "–";
  const digits = `${printedIn(result.printed, scale.symbol)}†`;
  return result.qualifier ? `${result.qualifier} ${digits}` : digits;
}

function keyText(key: RunResult["parameters"] | null | undefined, words: Words): string {
  return listed(
    Object.entries(key ?? {}).map(([name, value]) => {
      const text = words.value(name, value);
      // "3" alone says nothing; "2 GB" and "Performance/high" do.
      const bare = words.isNumber(name) && !words.dimension(name)?.unit;
      if (!bare) return text;
      const title = uncapitalised(words.dimensionTitle(name));
      return `${text} ${text === "1" ? title.replace(/s$/, "") : title}`;
    }),
  );
}
