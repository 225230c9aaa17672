import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";
import type { Series } from "../../api/types";
import { isolated } from "../../ui/format";
import styles from "./charts.module.css";
import { colourOf } from "./colours";
import { shortened, widthOf } from "./labels";
import { MarkShape } from "./marks";
import { nameOf, pointsOf } from "./Nearest";
import { beside, type Place, spread } from "./scale";

/** Width of the names to the right of the plot. */
export const LABELS = 266;
/** Distance from the plot to the mark before a name, and to the name. */
const MARK = 16;
export const TEXT = 26;
/** Vertical distance between names, so that each clearly belongs to its line. */
export const NAME = 18;
/** Distance from a line's last point to its name. */
const AFTER = 9;

/**
 * Each line's name at its last point: to the right of the plot for lines that go so far, otherwise
 * beside the point, or, if other lines leave no space there, to the right as well.
 */
export function LineNames({ series }: { series: Series[] }) {
  const plot = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!plot || !xScale || !yScale) return null;
  const names = shortened(
    series.map(({ label }) => label),
    LABELS - TEXT,
  );
  const at = ({ x, y }: Place): Place => ({ x: Number(xScale(x)), y: Number(yScale(y)) });
  const lines = series.map((line) => drawnOf(line).map((points) => points.map(at)));
  const edge = plot.x + plot.width;
  const inside = beside(
    lines.map((line, index) => {
      const width = widthOf((names[index] ?? "") + (series[index]?.dagger ?? ""));
      return { line, width, after: AFTER };
    }),
    NAME,
    { left: plot.x, right: edge, top: plot.y, bottom: plot.y + plot.height },
  );
  const outside = lines.flatMap((line, index) => {
    const end = line.flat().at(-1);
    return end && !inside[index] ? [{ index, end }] : [];
  });
  const heights = spread(
    outside.map(({ end }) => end.y),
    NAME,
    [plot.y, plot.y + plot.height],
  );
  const moved = new Map(outside.map((item, n) => [item.index, { ...item, y: heights[n] ?? 0 }]));
  return series.map((line, index) => {
    const besideEnd = inside[index];
    const led = moved.get(index);
    if (!besideEnd && !led) return null;
    const [x, y] = besideEnd ? [besideEnd.x, besideEnd.y] : [edge + TEXT, led?.y ?? 0];
    return (
      <g key={pointsOf(line)[0]?.lane} className={nameOf(index)}>
        {led ? (
          <>
            <path
              className={styles.lead}
              d={`M${led.end.x + 6} ${led.end.y}L${edge + MARK - 7} ${y}`}
              style={{ stroke: colourOf(line) }}
            />
            <MarkShape
              mark={line.mark}
              x={edge + MARK}
              y={y}
              r={3}
              colour={colourOf(line)}
              hollow={line.hollow ?? false}
            />
          </>
        ) : null}
        <text x={x} y={y} dy="0.32em" className={styles.name} style={{ fill: colourOf(line) }}>
          <title>{isolated(line.label)}</title>
          {isolated(names[index] ?? "")}
          <tspan className={styles.dagger}>{line.dagger}</tspan>
        </text>
      </g>
    );
  });
}

/** What is drawn of a line, in its values: its curve, or its points. */
function drawnOf(line: Series): Place[][] {
  const curve = (line.curve?.within ?? []).map((points) =>
    points.map(([x = 0, y = 0]) => ({ x, y })),
  );
  // The name is at the last point; a curve ends there, but may pass above or below it.
  return curve.some((points) => points.length > 0) ? curve : line.stretches;
}
