import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { Figure, Lane } from "../../api/types";
import { colourOf } from "../../figures/charts/colours";
import type { Words } from "../../figures/words";
import { change } from "../../ui/format";
import { labelOf } from "./findings";
import styles from "./Overview.module.css";
import type { Answered } from "./useFindings";

/** Maximum number of rows. */
const ROWS = 6;

interface Props {
  finding: Answered;
  words: Words | undefined;
}

/** What articles report, row by row beside what Macs here measured of the same, if they did. */
export function Beside({ finding, words }: Props) {
  const figure = finding.answer?.figure;
  const pairs = figure && words ? pairsOf(finding, figure, words).slice(0, ROWS) : [];
  const most = Math.max(...pairs.flatMap(({ own, printed }) => [own.value, printed.value]));
  const percent = (value: number) => `${(100 * value) / most}%`;
  const unit = figure?.charts[0]?.unit;
  if (pairs.length === 0) return null;
  return (
    <section className={styles.beside}>
      <h2>What articles report, and what these Macs measure</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col" className={styles.track}>
              <span className="visually-hidden">Drawn</span>
            </th>
            <th scope="col">Published</th>
            <th scope="col">Measured</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ label, colour, own, printed }) => (
            <tr key={`${label} ${own.id}`} style={{ color: colour }}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              <td className={styles.track} aria-label={`${printed.text} and ${own.text}`}>
                <i style={between(percent, own.value, printed.value)} />
                <span data-hollow="true" style={at(percent(printed.value))} />
                <span style={at(percent(own.value))} />
              </td>
              <td>
                {printed.text}
                <Link to="/about" hash={printed.articles?.[0] ?? ""} aria-label="The article">
                  †
                </Link>
              </td>
              <td>
                <strong>{own.text}</strong>
                <span className={styles.weight}>{own.weight}</span>
              </td>
              <td>{change(own.value / printed.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const at = (percent: string) => ({ "--at": percent }) as CSSProperties;

const between = (percent: (value: number) => string, first: number, second: number) =>
  ({
    "--low": percent(Math.min(first, second)),
    "--high": percent(Math.max(first, second)),
  }) as CSSProperties;

type Drawn = Lane & { value: number };

interface Pair {
  label: string;
  colour: string;
  own: Drawn;
  printed: Drawn;
}

/** Cases with a measured and a published figure of one metric. */
function pairsOf(finding: Answered, { charts }: Figure, words: Words): Pair[] {
  return charts.flatMap(({ cases = [] }) =>
    cases.flatMap((of) => {
      const drawn = of.lanes.filter((lane): lane is Drawn => lane.value !== undefined);
      return drawn.flatMap((printed) => {
        const measured = drawn.find(({ hollow, metric }) => !hollow && metric === printed.metric);
        if (!printed.hollow || !measured) return [];
        const label = [labelOf(finding, of.key ?? {}, words), printed.name]
          .filter(Boolean)
          .join(", ");
        return [{ label, colour: colourOf(of), own: measured, printed }];
      });
    }),
  );
}
