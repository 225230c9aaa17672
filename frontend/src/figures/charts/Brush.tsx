import { type RefObject, useEffect, useRef } from "react";
import { usePlotArea, useXAxisScale } from "recharts";
import type { Axis } from "../../api/types";
import type { Range } from "../zoom";

/** Minimum distance in pixels that makes a press a drag. */
const LEAST = 12;

interface Props {
  frame: RefObject<HTMLElement | null>;
  axis: Axis;
  onZoom: (range: Range) => void;
}

/** Zoom by dragging over its chart with a mouse or pen; a finger scrolls. */
export function Brush({ frame, axis, onZoom }: Props) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  /** A ref, to survive the redraw between the end of a drag and its click. */
  const drag = useRef<{ start?: number | undefined; moved: boolean }>({ moved: false });
  useEffect(() => {
    const element = frame.current;
    if (!element || !plot || !scale) return undefined;
    const shade = document.createElement("div");
    const now = drag.current;
    const along = ({ clientX }: PointerEvent) => {
      const x = clientX - element.getBoundingClientRect().left;
      return Math.max(plot.x, Math.min(plot.x + plot.width, x));
    };
    const nearest = (x: number) =>
      axis.ticks.reduce((best, tick) =>
        Math.abs(Number(scale(tick.at)) - x) < Math.abs(Number(scale(best.at)) - x) ? tick : best,
      ).at;
    const end = () => {
      now.start = undefined;
      shade.remove();
    };
    const down = (event: PointerEvent) => {
      now.moved = false;
      if (event.pointerType === "touch" || event.button !== 0) return;
      now.start = along(event);
    };
    const move = (event: PointerEvent) => {
      if (now.start === undefined) return;
      const [low, high] = [now.start, along(event)].toSorted((a, b) => a - b) as [number, number];
      if (high - low < LEAST) return;
      now.moved = true;
      // Otherwise the axis labels would be selected.
      event.preventDefault();
      getSelection()?.removeAllRanges();
      shade.style.cssText = `position:absolute;pointer-events:none;background:var(--accent);opacity:.15;left:${low}px;width:${high - low}px;top:${plot.y}px;height:${plot.height}px`;
      element.append(shade);
    };
    const up = (event: PointerEvent) => {
      if (now.start === undefined) return;
      const [startValue, endValue] = [nearest(now.start), nearest(along(event))];
      end();
      if (now.moved && startValue !== endValue)
        onZoom({ from: Math.min(startValue, endValue), to: Math.max(startValue, endValue) });
    };
    // The click that ends a drag must neither pin a tip nor follow a mark.
    const press = (event: MouseEvent) => {
      if (!now.moved) return;
      event.stopPropagation();
      event.preventDefault();
      now.moved = false;
    };
    const still = (event: Event) => event.preventDefault();
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("dragstart", still);
    element.addEventListener("click", press, { capture: true });
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    return () => {
      shade.remove();
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("dragstart", still);
      element.removeEventListener("click", press, { capture: true });
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
    };
  });
  return null;
}
