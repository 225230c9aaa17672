import type { ReactNode } from "react";
import type { Facets as FacetsShape } from "../api/types";
import { type Question, replaced, toggled } from "../links/question";
import { Skeleton } from "../ui/Skeleton";
import { useFilters } from "../figures/filters";
import type { Words } from "../figures/words";
import { FacetPanel } from "./FacetPanel";
import { Facets } from "./Facets";
import styles from "./FilteredPage.module.css";
import { FilterChips } from "./FilterChips";

interface Props {
  /** The heading and the links to other views. */
  head: ReactNode;
  question: Question;
  facets: FacetsShape | undefined;
  words: Words | undefined;
  /** Its path: each page opens with its own filters. */
  page: string;
  /** Number of matching runs: "26 runs". */
  remaining: string;
  busy: boolean;
  /** Whether the page is still choosing its own filters. */
  opening?: boolean;
  onAsk: (question: Question) => void;
  onClear: () => void;
  /** Above and below the active filters. */
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}

/** Layout of all pages with many runs: facets beside them, and the active filters above. */
export function FilteredPage(props: Props) {
  const { question, facets, words, onAsk } = props;
  const { tell } = useFilters(question.where, words);
  return (
    <div className={styles.page}>
      <div className={styles.head}>{props.head}</div>
      <a className={styles.skip} href="#figures">
        Skip filters
      </a>
      <FacetPanel inForce={question.where.length} remaining={props.remaining}>
        {facets && words ? (
          <Facets
            facets={facets}
            where={question.where}
            words={words}
            tell={tell}
            page={props.page}
            onToggle={(clause) => onAsk(toggled(question, clause))}
            onReplace={(clause, next) => onAsk(replaced(question, [clause], next ? [next] : []))}
          />
        ) : (
          <Skeleton height="36rem" lines={16} />
        )}
      </FacetPanel>
      <div id="figures" tabIndex={-1} className={styles.main} aria-busy={props.busy}>
        {props.above}
        {words ? (
          <FilterChips
            where={question.where}
            words={words}
            tell={tell}
            unsettled={props.opening}
            onReplace={(clauses, next) => onAsk(replaced(question, clauses, next))}
            onClear={props.onClear}
          />
        ) : null}
        {props.below}
        {props.children}
      </div>
    </div>
  );
}
