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
export const nameOf = (place: number) => `of-line l${place}`;

/** The points of all lines at one position of the axis. */
export function pointsAt(series: readonly Series[], x: number): OnLine[] {
  return series.flatMap((one) => {
    const point = pointsOf(one).find((candidate) => candidate.x === x);
    return point ? [{ series: one, point }] : [];
  });
}

/** Dim all other lines, directly in the DOM, because redrawing every line takes longer. */
function lift(frame: HTMLElement, place: number | undefined): void {
  for (const element of frame.querySelectorAll(".of-line")) {
    const near = element.classList.contains(`l${place}`);
    element.classList.toggle("near", near);
    element.classList.toggle("faint", place !== undefined && !near);
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
    const all = series.flatMap((one) => pointsOf(one).map((point) => ({ series: one, point })));
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
        (best, one) => (best && far(best) <= far(one) ? best : one),
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
