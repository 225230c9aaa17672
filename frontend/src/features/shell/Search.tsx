import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import type { Topics } from "../../questions/view";
import { isWritten } from "../../ui/isWritten";
import styles from "./Shell.module.css";

const palette = () => import("./Palette");
const Palette = lazy(palette);

/** The search button; `/` and Command-K open the search anywhere on a page. */
export function Search({ topics }: { topics: Topics }) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // In a text field, slashes and question marks are typed normally.
      if (event.key === "?" && !isWritten(event.target)) {
        void navigate({ to: "/shortcuts" });
        return;
      }
      const opens = event.key === "/" || (event.key === "k" && (event.metaKey || event.ctrlKey));
      if (!opens || (event.key === "/" && isWritten(event.target))) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [navigate]);
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
