import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Axis, Panel, Series } from "../api/types";
import { canZoom } from "./charts/axis";

/** A part of the horizontal axis, from one of its ticks to another. */
export interface Range {
  from: number;
  to: number;
}

export const ticksOf = ({ ticks }: Axis) => ticks.toSorted((a, b) => a.at - b.at);

/** The range that an address states, `zoom=4..12`; undefined if its ends aren't ticks. */
export function rangeIn(zoom: string | undefined, axis: Axis): Range | undefined {
  const ends = /^([\d.e+-]+?)\.\.([\d.e+-]+)$/u.exec(zoom ?? "");
  if (!ends || !canZoom(axis)) return undefined;
  const [from, to] = [Number(ends[1]), Number(ends[2])];
  const isTick = (end: number) => axis.ticks.some(({ at }) => at === end);
  return isTick(from) && isTick(to) && from < to ? { from, to } : undefined;
}

/** The address's range and its setter; undefined means the whole axis. */
export function useZoom(axis: Axis): [Range | undefined, (next: Range | undefined) => void] {
  const zoomText = useSearch({ strict: false, select: ({ zoom }) => zoom?.at(-1) });
  const navigate = useNavigate();
  const range = useMemo(() => rangeIn(zoomText, axis), [zoomText, axis]);
  const set = useCallback(
    (next: Range | undefined) => {
      const isWhole =
        !next || (next.from === ticksOf(axis)[0]?.at && next.to === ticksOf(axis).at(-1)?.at);
      void navigate({
        to: ".",
        search: (previous) => ({
          ...previous,
          zoom: isWhole ? undefined : [`${next.from}..${next.to}`],
        }),
        state: true,
        replace: true,
        resetScroll: false,
      });
    },
    [axis, navigate],
  );
  return [range, set];
}

/** The axis between two of its ticks. */
export function axisWithin(axis: Axis, { from, to }: Range): Axis {
  const ticks = axis.ticks.filter(({ at }) => at >= from && at <= to);
  return { ...axis, low: from, high: to, ticks };
}

/** Panels limited to the range, without lines that have no point in it. */
export function panelsWithin(panels: readonly Panel[], { from, to }: Range): Panel[] {
  const isWithin = (x: number) => x >= from && x <= to;
  const cut = (curve: NonNullable<Series["curve"]>) => ({
    within: curve.within.map((points) => points.filter(([x = 0]) => isWithin(x))),
  });
  return panels.map((panel) => ({
    ...panel,
    boundaries: (panel.boundaries ?? []).filter(({ low, high }) => isWithin(low) && isWithin(high)),
    series: panel.series
      .map((line) => ({
        ...line,
        stretches: line.stretches.map((points) => points.filter(({ x }) => isWithin(x))),
        curve: line.curve ? cut(line.curve) : line.curve,
      }))
      .filter(({ stretches }) => stretches.some((points) => points.length > 0)),
  }));
}
