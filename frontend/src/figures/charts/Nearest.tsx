import { type RefObject, useEffect } from "react";
import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";
import type { LinePoint, Series } from "../../api/types";

/** A point of a line, and the line. */
export interface OnLine {
  series: Series;
  point: LinePoint;
}

/** From a mark to where a pointer is still on it. */
export const REACH = 8;

export const pointsOf = ({ stretches }: Series): LinePoint[] => stretches.flat();

/** By this name all that is drawn of a line is found. */
export const nameOf = (place: number) => `of-line l${place}`;

/** The points of all lines at one place of the axis. */
export function pointsAt(series: readonly Series[], x: number): OnLine[] {
  return series.flatMap((one) => {
    const point = pointsOf(one).find((candidate) => candidate.x === x);
    return point ? [{ series: one, point }] : [];
  });
}

/** All other lines step back; done by hand, because redrawing every line takes longer. */
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

/** Follows the pointer over the chart that it stands in: it alone knows where its points are. */
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
      // First how far across, and only among equals how far up.
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
      // A mark's own click leads to its runs.
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
