import type { Strip as Figures } from "../api/types";
import styles from "./Strip.module.css";

interface Props {
  strip: Figures;
  /** Whether dots stack and the ends are named below, as where one strip stands alone. */
  tall?: boolean;
  /** Whose figure it is. */
  own?: string;
}

const STEP = 11;
/** Distance, as a share of the strip, from which dots don't overlap on a phone. */
const APART = 0.026;
/** Leave room for half a mark at both ends. */
const xAt = (at: number) => `${2 + 96 * at}%`;

interface Dot {
  at: number;
  row: number;
  texts: string[];
}

/** Dots from low to high: those at one place share a dot, or stack around its own. */
function dotsOf({ others, at }: Figures, tall: boolean): Dot[] {
  const dots: Dot[] = [];
  const rows = [[at]];
  for (const other of others) {
    const last = dots.at(-1);
    if (!tall && last?.at === other.at) {
      last.texts.push(other.text);
      continue;
    }
    const isTaken = (row: number[]) => row.some((x) => Math.abs(x - other.at) < APART);
    const free = tall ? rows.findIndex((row) => !isTaken(row)) : 0;
    const row = free < 0 ? rows.push([]) - 1 : free;
    rows[row]?.push(other.at);
    dots.push({ at: other.at, row, texts: [other.text] });
  }
  return dots;
}

/** One figure among others', from the lowest to the highest. */
export function Strip({ strip, tall = false, own = "this Mac" }: Props) {
  const { others, at, low, high, value } = strip;
  const dots = dotsOf(strip, tall);
  const rows = Math.max(1, ...dots.map(({ row }) => row + 1));
  const height = tall ? 22 + (rows - 1) * STEP : 22;
  const base = height - STEP;
  return (
    <div className={tall ? styles.tall : styles.strip}>
      {tall ? (
        <p
          className={styles.value}
          aria-hidden="true"
          style={{ left: xAt(at) }}
          data-end={at > 0.5}
        >
          {own} {value}
        </p>
      ) : null}
      <svg
        height={height}
        role="img"
        aria-label={`${value} on a strip of ${others.length + 1} figures from ${low} to ${high}`}
      >
        <line x1={xAt(0)} x2={xAt(1)} y1={base} y2={base} />
        {dots.map((dot) => (
          <circle key={`${dot.at} ${dot.row}`} cx={xAt(dot.at)} cy={base - dot.row * STEP} r={4}>
            <title>{dot.texts.join("; ")}</title>
          </circle>
        ))}
        <circle className={styles.own} cx={xAt(at)} cy={base} r={6}>
          <title>{value}</title>
        </circle>
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </p>
    </div>
  );
}
