import { type ReactNode, useRef, useState } from "react";
import type { Facets as FacetsShape } from "../api/types";
import { useFilters } from "../figures/filters";
import type { Words } from "../figures/words";
import type { Clause } from "../links/clause";
import { type Question, replaced, same, toggled } from "../links/question";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Skeleton";
import { useHotkey } from "../ui/useHotkey";
import { FacetPanel } from "./FacetPanel";
import { Facets } from "./Facets";
import styles from "./FilteredPage.module.css";
import { FilterChips } from "./FilterChips";

interface Props {
  /** Links to other views. */
  nav?: ReactNode;
  title: ReactNode;
  question: Question;
  /** Filters that go without saying, because this view always has them. */
  implied?: readonly Clause[] | undefined;
  facets: FacetsShape | undefined;
  words: Words | undefined;
  /** Its path: each page opens with its own filters. */
  page: string;
  /** Number of matching runs: "26 runs". */
  remaining: string;
  /** Of a list: its order, "most recently received first". */
  order?: string;
  busy: boolean;
  /** Whether the page is still choosing its own filters. */
  opening?: boolean;
  onAsk: (question: Question) => void;
  onClear: () => void;
  /** What is asked, and what can be done with the answer: the ends of one row. */
  toolbar?: ReactNode;
  actions?: ReactNode;
  /** Why the page chose its filters itself. */
  chosen?: ReactNode;
  children: ReactNode;
}

/** Where this browser keeps whether the panel is open. */
const KEPT = "macmeter filters";

/**
 * Layout of all pages with many runs: the title, what it is about in one line, one toolbar, and
 * the filters in a panel.
 */
export function FilteredPage(props: Props) {
  const { question, implied = [], facets, words, remaining, opening, onAsk, onClear } = props;
  const { where } = question;
  const filters = useFilters(where, words);
  const stated = where.filter((clause) => !implied.some(same(clause)));
  const presets = words ? filters.list(stated).replace(/^not /, "Not ") : "";
  const counts = [remaining, remaining && props.order].filter(Boolean).join(", ");
  const [isOpen, setOpen] = useState(() => sessionStorage.getItem(KEPT) === "open");
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const open = (next: boolean) => {
    setOpen(next);
    sessionStorage.setItem(KEPT, next ? "open" : "");
    // The panel follows once it is drawn.
    if (next) requestAnimationFrame(() => panel.current?.focus());
    else button.current?.focus();
  };
  useHotkey("f", button, () => open(true));
  return (
    <div className={styles.page}>
      {props.nav}
      <header className={styles.head}>
        {props.title}
        <p className={styles.about} data-unsettled={opening || undefined}>
          <bdi>{presets}</bdi>
          {presets && counts ? " · " : ""}
          {counts}
          {where.length > 0 ? (
            <>
              {presets || counts ? " · " : ""}
              <Button asText onClick={() => open(true)}>
                edit
              </Button>
            </>
          ) : null}
        </p>
      </header>
      <div className={styles.toolbar}>
        {props.toolbar}
        <button
          ref={button}
          type="button"
          className={`button ${styles.filters}`}
          aria-expanded={isOpen}
          aria-keyshortcuts="f"
          onClick={() => open(!isOpen)}
        >
          Filters{where.length > 0 ? <b>{where.length}</b> : null}
        </button>
        <div className={styles.actions}>{props.actions}</div>
      </div>
      {isOpen ? (
        <FacetPanel
          ref={panel}
          remaining={remaining}
          onClear={where.length > 0 ? onClear : undefined}
          onClose={() => open(false)}
        >
          {words ? (
            <FilterChips
              where={where}
              words={words}
              textOf={filters.textOf}
              unsettled={opening}
              onReplace={(clauses, next) => onAsk(replaced(question, clauses, next))}
            />
          ) : null}
          {props.chosen}
          {facets && words ? (
            <Facets
              facets={facets}
              where={where}
              words={words}
              textOf={filters.textOf}
              page={props.page}
              onToggle={(clause) => onAsk(toggled(question, clause))}
              onReplace={(clause, next) => onAsk(replaced(question, [clause], next ? [next] : []))}
            />
          ) : (
            <Skeleton height="36rem" lines={16} />
          )}
        </FacetPanel>
      ) : null}
      <div className={styles.main} aria-busy={props.busy}>
        {props.children}
      </div>
    </div>
  );
}
