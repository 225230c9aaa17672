import { type RefObject, useEffect } from "react";
import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";
import type { LinePoint, Series } from "../../api/types";

/** A point of a line, with the line. */
export interface OnLine {
  series: Series;
  point: LinePoint;
}

/** Distance from a mark within which the pointer selects it. */
export const REACH = 8;

export const pointsOf = ({ stretches }: Series): LinePoint[] => stretches.flat();

/** Class names of everything drawn for a line. */
export const nameOf = (index: number) => `of-line l${index}`;

/** The points of all lines at one position of the axis. */
export function pointsAt(series: readonly Series[], x: number): OnLine[] {
  return series.flatMap((line) => {
    const point = pointsOf(line).find((candidate) => candidate.x === x);
    return point ? [{ series: line, point }] : [];
  });
}

/** Dim all other lines, directly in the DOM, because redrawing every line takes longer. */
function lift(frame: HTMLElement, index: number | undefined): void {
  for (const element of frame.querySelectorAll(".of-line")) {
    const near = element.classList.contains(`l${index}`);
    element.classList.toggle("near", near);
    element.classList.toggle("faint", index !== undefined && !near);
  }
}

interface Props {
  frame: RefObject<HTMLElement | null>;
  series: readonly Series[];
  onNear: (near: OnLine | undefined, at: PointerEvent) => void;
  onPin: (near: OnLine, at: PointerEvent) => void;
}

/** Follow the pointer over the chart. Rendered inside it, where the axis scales are available. */
export function Nearest({ frame, series, onNear, onPin }: Props) {
  const plot = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  useEffect(() => {
    const element = frame.current;
    if (!element || !plot || !xScale || !yScale) return;
    const all = series.flatMap((line) => pointsOf(line).map((point) => ({ series: line, point })));
    const find = ({ clientX, clientY }: PointerEvent): OnLine | undefined => {
      const box = element.getBoundingClientRect();
      const [x, y] = [clientX - box.left, clientY - box.top];
      const { x: left, y: top, width, height } = plot;
      if (x < left - REACH || x > left + width + REACH) return undefined;
      if (y < top - REACH || y > top + height + REACH) return undefined;
      // Compare horizontal distance first, then vertical.
      const far = ({ point }: OnLine) =>
        Math.round(Math.abs(Number(xScale(point.x)) - x)) * 10_000 +
        Math.abs(Number(yScale(point.y)) - y);
      return all.reduce<OnLine | undefined>(
        (best, candidate) => (best && far(best) <= far(candidate) ? best : candidate),
        undefined,
      );
    };
    const follow = (event: PointerEvent) => {
      const near = find(event);
      lift(element, near && series.indexOf(near.series));
      onNear(near, event);
    };
    const leave = () => lift(element, undefined);
    const press = (event: MouseEvent) => {
      // A mark's own click follows its link.
      if (event.target instanceof Element && event.target.closest("a")) return;
      const near = find(event as PointerEvent);
      if (near) onPin(near, event as PointerEvent);
    };
    element.addEventListener("pointermove", follow);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("click", press);
    return () => {
      element.removeEventListener("pointermove", follow);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("click", press);
    };
  });
  return null;
}
