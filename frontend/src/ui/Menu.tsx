import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import styles from "./Menu.module.css";
import { Under } from "./Under";

interface Props {
  label: string;
  /** Buttons and links, each a line. */
  children: ReactNode;
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at < last ? at + 1 : 0),
  ArrowUp: (at, last) => (at > 0 ? at - 1 : last),
  Home: () => 0,
  End: (_, last) => last,
};

/** A button that opens a list of actions; arrows, Home and End move in it. */
export function Menu({ label, children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const items = [...(dialog.current?.querySelectorAll<HTMLElement>("a, button") ?? [])];
    if (!step || items.length === 0) return;
    event.preventDefault();
    const at = items.findIndex((item) => item === document.activeElement);
    items[step(at, items.length - 1)]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button opens"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen ? (
        <Under
          ref={dialog}
          button={button}
          label={label}
          sheet
          onClose={() => setOpen(false)}
          onKeyDown={move}
        >
          <div className={styles.menu}>{children}</div>
        </Under>
      ) : null}
    </>
  );
}
