import { useId } from "react";
import type { Axis } from "../api/types";
import styles from "./Figure.module.css";
import { type Range, ticksOf } from "./zoom";
import { Button } from "../ui/Button";

interface Props {
  axis: Axis;
  range: Range | undefined;
  onZoom: (next: Range | undefined) => void;
}

/** Start and end of the visible axis range: the keyboard's equivalent of dragging over a chart. */
export function ZoomChoice({ axis, range, onZoom }: Props) {
  const id = useId();
  const ticks = ticksOf(axis);
  const [first, last] = [ticks[0]?.at ?? axis.low, ticks.at(-1)?.at ?? axis.high];
  const { from, to } = range ?? { from: first, to: last };
  const options = (fits: (at: number) => boolean) =>
    ticks
      .filter(({ at }) => fits(at))
      .map(({ at, text }) => (
        <option key={at} value={at}>
          {text}
        </option>
      ));
  return (
    <div className={styles.zoom} role="group" aria-labelledby={id} data-zoomed={!!range}>
      <span id={id}>
        {axis.title} <span className="visually-hidden">shown</span>
      </span>
      <select
        aria-label="From"
        value={from}
        onChange={({ target }) => onZoom({ from: Number(target.value), to })}
      >
        {options((at) => at < to)}
      </select>
      <span>to</span>
      <select
        aria-label="To"
        value={to}
        onChange={({ target }) => onZoom({ from, to: Number(target.value) })}
      >
        {options((at) => at > from)}
      </select>
      {range ? (
        <Button asText onClick={() => onZoom(undefined)}>
          Show all
        </Button>
      ) : null}
    </div>
  );
}
