import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import styles from "./FacetPanel.module.css";
import { Button } from "../ui/Button";

interface Props {
  ref: RefObject<HTMLElement | null>;
  /** Number of matching runs: "26 runs". */
  remaining: string;
  /** Remove all filters; undefined if there are none. */
  onClear: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

const WIDE = "(min-width: 75rem)";

/** Filters beside the page, or in a drawer over it if there is no room. Esc closes them. */
export function FacetPanel({ ref, remaining, onClear, onClose, children }: Props) {
  const isWide = useMedia(WIDE);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!isWide) dialog.current?.showModal();
  }, [isWide]);
  useEffect(() => {
    if (!isWide) return;
    document.documentElement.dataset.beside = "filters";
    return () => void delete document.documentElement.dataset.beside;
  }, [isWide]);
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => {
    const closeOnEscape = ({ key, target }: KeyboardEvent) => {
      const isInside = target instanceof Node && ref.current?.contains(target);
      if (key === "Escape" && isInside) latestOnClose.current();
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [ref]);
  const content = (
    <>
      <header className={styles.head}>
        <h2>Filters</h2>
        <Button asText onClick={onClose}>
          Close
        </Button>
      </header>
      <div className={styles.content}>{children}</div>
      <div className={styles.foot}>
        {onClear ? (
          <Button asText onClick={onClear}>
            Remove all
          </Button>
        ) : null}
        <Button primary onClick={onClose}>
          Show {remaining}
        </Button>
      </div>
    </>
  );
  if (!isWide) {
    return (
      <dialog
        ref={dialog}
        className={styles.drawer}
        aria-label="Filters"
        closedby="any"
        onClose={onClose}
      >
        {content}
      </dialog>
    );
  }
  return (
    <aside ref={ref} className={styles.aside} aria-label="Filters" tabIndex={-1}>
      {content}
    </aside>
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}
