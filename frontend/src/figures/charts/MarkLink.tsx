import { Link } from "@tanstack/react-router";
import {
  createContext,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
} from "react";
import type { Case, Lane } from "../../api/types";
import type { SearchLists } from "../../links/search";
import { REACHED, type Said, useTips } from "./TipFrame";

/** The search for the runs behind a lane of a case. */
export type RunsOf = (row: Case, lane: Lane) => SearchLists;

export const RunsOfContext = createContext<RunsOf | undefined>(undefined);

interface Props {
  row: Case;
  lane: Lane;
  className?: string;
  "aria-label"?: string;
  children: ReactNode;
}

/** Link to the runs behind a figure, or to the only run; plain text if there are none. */
export function RunsLink({ row, lane, children, ...others }: Props) {
  const runsOf = useContext(RunsOfContext);
  if (lane.run) {
    return (
      <Link to="/runs/$id" params={{ id: lane.run }} {...others}>
        {children}
      </Link>
    );
  }
  if (!runsOf || !lane.cells?.runs) return children;
  return (
    <Link to="/runs" search={runsOf(row, lane)} {...others}>
      {children}
    </Link>
  );
}

interface MarkProps extends Props {
  tip: ReactNode;
  /** Whether it shows its own tip while the pointer is over it. */
  hovered?: boolean;
}

/** Handlers of a mark with a link or tip; `id` is unique in its chart. */
export function useMark(id: string, tip: ReactNode, hovered = false) {
  const { show, hide, pin } = useTips();
  const tipAt = (element: Element): Said => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { id, x: left + width / 2, y: top + height / 2, content: tip };
  };
  const follow = ({ clientX: x, clientY: y }: PointerEvent) => show({ id, x, y, content: tip });
  return {
    ...REACHED,
    ...(hovered ? { onPointerMove: follow, onPointerLeave: hide } : {}),
    onFocus: (event: { currentTarget: Element }) => show(tipAt(event.currentTarget)),
    onBlur: hide,
    onClick: (event: MouseEvent) => {
      event.stopPropagation();
      if ((event.nativeEvent as globalThis.PointerEvent).pointerType !== "touch") return;
      event.preventDefault();
      pin(tipAt(event.currentTarget));
    },
  };
}

interface MarkTipProps {
  id: string;
  /** The mark's label for screen readers. */
  name: string;
  tip: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A mark without a link, whose tip is reached by keyboard and touch like others'. */
export function MarkTip({ id, name, tip, className, children }: MarkTipProps) {
  return (
    <g role="img" aria-label={name} className={className} {...useMark(id, tip)}>
      {children}
    </g>
  );
}

/** A mark of a chart. Touch has no hover: the first tap pins the tip, which contains the link. */
export function MarkLink({ row, lane, tip, hovered, children, className }: MarkProps) {
  const handlers = useMark(lane.id, tip, hovered);
  const name = [row.label, lane.name].filter(Boolean).join(", ");
  return (
    <RunsLink
      row={row}
      lane={lane}
      className={className}
      aria-label={`${name}: ${lane.full ?? lane.text}. Show runs`}
      {...handlers}
    >
      {children}
    </RunsLink>
  );
}
