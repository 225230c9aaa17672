import { lazy, Suspense, useEffect, useState } from "react";
import type { Topics } from "../../questions/view";
import styles from "./Shell.module.css";

const palette = () => import("./Palette");
const Palette = lazy(palette);

/** Opens the search; `/` and Command-K do from everywhere on a page. */
export function Search({ topics }: { topics: Topics }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const wanted = event.key === "/" || (event.key === "k" && (event.metaKey || event.ctrlKey));
      const writes =
        event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
      if (!wanted || (event.key === "/" && writes)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.search}
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={() => void palette()}
        onClick={() => setOpen(true)}
      >
        Search <kbd aria-hidden="true">/</kbd>
      </button>
      {open ? (
        <Suspense fallback={null}>
          <Palette topics={topics} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
