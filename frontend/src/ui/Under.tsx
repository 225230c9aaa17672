import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from "react";
import styles from "./Under.module.css";

interface Props {
  ref: RefObject<HTMLDialogElement | null>;
  /** The button that it opens under, and that has the focus again once it closes. */
  button: RefObject<HTMLButtonElement | null>;
  label: string;
  /** On a phone, rise from the bottom; a list to type in stays above the keyboard instead. */
  sheet?: boolean;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

const MARGIN = 16;
const GAP = 4;

/** A modal layer under a button, inside the window's width. Esc and a press outside close it. */
export function Under({ ref, button, label, sheet, onClose, onKeyDown, children }: Props) {
  useLayoutEffect(() => {
    const dialog = ref.current;
    const place = () => {
      const { left = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
      const width = dialog?.offsetWidth ?? 0;
      const inside = Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN));
      dialog?.style.setProperty("--left", `${inside + scrollX}px`);
      dialog?.style.setProperty("--top", `${bottom + GAP + scrollY}px`);
    };
    dialog?.showModal();
    place();
    // What arrives meanwhile may move the button.
    const moved = new ResizeObserver(place);
    moved.observe(document.body);
    return () => moved.disconnect();
  }, [ref, button]);
  return (
    <dialog
      ref={ref}
      className={styles.under}
      data-sheet={sheet}
      aria-label={label}
      closedby="any"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      {children}
    </dialog>
  );
}
