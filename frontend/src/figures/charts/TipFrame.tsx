import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import styles from "./TipFrame.module.css";

/** Content of a tip, and the position of the mark or pointer on the screen. */
export interface Said {
  id: string;
  x: number;
  y: number;
  content: ReactNode;
}

export interface Tips {
  /** No-op while another tip is pinned. */
  show: (tip: Said) => void;
  hide: () => void;
  /** Keep the tip until it is closed, so that the pointer can reach its links. */
  pin: (tip: Said) => void;
}

const TipsContext = createContext<Tips>({ show: () => {}, hide: () => {}, pin: () => {} });
export const useTips = () => useContext(TipsContext);

/** Arrow keys move between elements with this attribute, in document order. */
export const REACHED = { "data-reached": true, tabIndex: -1 } as const;

/** Distance between the pointer and the tip. */
const GAP = 14;

interface Props {
  /** The chart's label for screen readers. */
  name: string;
  children: ReactNode;
}

/**
 * A chart with its tips. It is one tab stop; arrow keys move between marks. A new tip doesn't
 * re-render the chart, which is passed as children.
 */
export function TipFrame({ name, children }: Props) {
  const [tip, setTip] = useState<Said>();
  const [pinned, setPinned] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const keeps = useRef(false);
  const hint = useId();
  const close = useCallback(() => {
    keeps.current = false;
    setPinned(false);
    setTip(undefined);
  }, []);
  const tips = useMemo(
    (): Tips => ({
      // Flush in the same frame as the pointer's move; otherwise React would draw the tip a frame
      // later.
      show: (next) => {
        if (!keeps.current) flushSync(() => setTip(next));
      },
      hide: () => {
        if (!keeps.current) setTip(undefined);
      },
      pin: (next) => {
        keeps.current = true;
        setPinned(true);
        setTip(next);
      },
    }),
    [],
  );
  useEffect(() => {
    const element = frame.current;
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
      else if (moved(event.key, element)) event.preventDefault();
    };
    const elsewhere = ({ target }: Event) => {
      if (!element?.contains(target as Node)) close();
    };
    element?.addEventListener("keydown", press);
    document.addEventListener("pointerdown", elsewhere);
    return () => {
      element?.removeEventListener("keydown", press);
      document.removeEventListener("pointerdown", elsewhere);
    };
  }, [close]);
  return (
    <div
      ref={frame}
      className={styles.frame}
      role="group"
      aria-label={name}
      aria-describedby={hint}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its marks are links
      tabIndex={0}
      onPointerLeave={tips.hide}
    >
      <span id={hint} hidden>
        Use the arrow keys to go from mark to mark.
      </span>
      <TipsContext value={tips}>{children}</TipsContext>
      {tip ? <Tip tip={tip} pinned={pinned} frame={frame} onClose={close} /> : null}
    </div>
  );
}

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/** Whether the key moved the focus to another mark. */
function moved(key: string, frame: HTMLElement | null): boolean {
  const all = [...(frame?.querySelectorAll<HTMLElement>("[data-reached]") ?? [])];
  const now = all.findIndex((mark) => mark === document.activeElement);
  const step = STEPS[key];
  const next = key === "Home" ? 0 : key === "End" ? all.length - 1 : step ? now + step : undefined;
  const target = next === undefined ? undefined : all[Math.max(0, next)];
  target?.focus();
  return target !== undefined;
}

interface TipProps {
  tip: Said;
  pinned: boolean;
  frame: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** A tip next to the pointer within the chart's width; on a narrow screen at the bottom. */
function Tip({ tip, pinned, frame, onClose }: TipProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !frame.current) return;
    const around = frame.current.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const [x, y] = [tip.x - around.left, tip.y - around.top];
    const right = x + GAP + width <= around.width;
    const left = right ? x + GAP : Math.max(0, x - GAP - width);
    const below = tip.y + GAP + height <= window.innerHeight;
    const top = below ? y + GAP : y - GAP - height;
    element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  });
  return (
    <div
      ref={box}
      className={styles.tip}
      data-pinned={pinned || undefined}
      role={pinned ? "group" : "tooltip"}
      aria-label={pinned ? "Pinned figures" : undefined}
      inert={!pinned}
    >
      {tip.content}
      {pinned ? (
        <button type="button" className={styles.close} aria-label="Unpin" onClick={onClose}>
          ×
        </button>
      ) : null}
    </div>
  );
}
