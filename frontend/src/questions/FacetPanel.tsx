import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./FacetPanel.module.css";

interface Props {
  /** Number of active filters, shown on the button that opens the drawer. */
  inForce: number;
  /** Number of matching runs: "26 runs". */
  remaining: string;
  children: ReactNode;
}

const WIDE = "(min-width: 62rem)";

/** Facets on the left; on a narrow screen, a drawer behind a button. */
export function FacetPanel({ inForce, remaining, children }: Props) {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  if (wide) {
    return (
      <aside className={styles.aside} aria-label="Filters">
        {children}
      </aside>
    );
  }
  return (
    <div className={styles.drawerHolder}>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        Filters{inForce > 0 ? ` (${inForce})` : ""}
      </button>
      <dialog ref={dialog} className={styles.drawer} aria-label="Filters" closedby="any">
        <div className={styles.sheet}>
          <div className={styles.content}>{children}</div>
          <div className={styles.foot}>
            <span>{remaining}</span>
            <button type="button" className="button chief" onClick={() => dialog.current?.close()}>
              Show
            </button>
          </div>
        </div>
      </dialog>
    </div>
  );
}
