import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { catalogQuery, compareQuery, facetsQuery } from "../../api/queries";
import { parseClause } from "../../links/clause";
import { FEWEST_SIDES, printSides, type Sides, sidesSearch } from "../../links/sides";
import { CopyButton } from "../../ui/CopyButton";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { Downloads } from "../../figures/Downloads";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import { Arrivals } from "../../ui/Arrivals";
import styles from "./Compare.module.css";
import { ComparedView } from "../../figures/sides/ComparedView";
import { MetricsEditor } from "./MetricsEditor";
import { presetsOf } from "./presets";
import { SidesEditor } from "./SidesEditor";

interface Props {
  asked: Sides;
  /** Whether the starting comparison is still being determined. */
  opening: boolean;
  onAsk: (next: Sides) => void;
  /** Render the controls that save the comparison. */
  save: (question: string) => React.ReactNode;
}

/** Comparison of two to eight machines or groups. */
export function ComparePage({ asked, opening, onAsk, save }: Props) {
  const catalog = useQuery(catalogQuery);
  const question = compareQuery(asked);
  const compared = useQuery({
    ...question,
    enabled: question.enabled !== false && !opening,
    placeholderData: keepPreviousData,
  });
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const enough = asked.sides.length >= FEWEST_SIDES && asked.metrics.length > 0;
  const failure = catalog.error ?? (enough ? compared.error : null);
  // While a new comparison loads, keep the old one only if it has as many sides.
  const shown =
    compared.data?.comparison.sides.length === asked.sides.length ? compared.data : undefined;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Compare</h1>
        <p className={styles.lead}>
          Compare Macs, or groups of Macs, as ratios to a baseline. Each ratio compares results of
          one method, either all measured or all published. Other differences are held equal where
          possible, and named where not.
        </p>
        <Presets />
      </header>
      {catalog.data && words ? (
        <div className={styles.editor}>
          <SidesEditor
            asked={asked}
            names={shown?.comparison.sides.map(({ label }) => label) ?? []}
            words={words}
            onAsk={onAsk}
          />
          <MetricsEditor asked={asked} catalog={catalog.data} words={words} onAsk={onAsk} />
        </div>
      ) : failure ? null : (
        <div className={styles.editing}>
          <Skeleton height="100%" lines={8} />
        </div>
      )}
      <div aria-busy={opening || compared.isFetching}>
        <Arrivals
          followed={asked}
          since={enough && !compared.isPlaceholderData ? compared.data?.as_of : undefined}
          known={compared.data?.rows.flatMap(({ cells }) =>
            cells.flatMap((cell) => ("missing" in cell ? [] : (cell.run_ids ?? []))),
          )}
        />
        {failure ? (
          <ProblemNotice
            error={failure}
            onRetry={() => void compared.refetch()}
            ways={
              <Link to="/compare" search={{}}>
                Start from storage
              </Link>
            }
          />
        ) : !enough ? (
          <Notice
            title={asked.metrics.length > 0 ? "A comparison needs two sides" : "No metric chosen"}
          >
            <p>
              {asked.metrics.length > 0
                ? "Add a side, and filters that distinguish the sides."
                : "Add a metric to compare."}
            </p>
          </Notice>
        ) : shown && words ? (
          <div className={compared.isPlaceholderData ? styles.stale : undefined}>
            <ComparedView
              compared={shown}
              figure={shown.figure}
              words={words}
              onOffer={(text) => onAsk(offered(asked, text))}
              onCrude={(crude) => onAsk({ ...asked, crude: crude || undefined })}
              actions={<Actions question={printSides(asked)} save={save} />}
            />
          </div>
        ) : (
          <Skeleton height="50rem" lines={24} />
        )}
      </div>
    </div>
  );
}

/** The sides with this filter on all of them, replacing any on the same dimension. */
function offered(asked: Sides, text: string): Sides {
  const clause = parseClause(text);
  if (!clause) return asked;
  const others = asked.where.filter(({ dimension }) => dimension !== clause.dimension);
  return { ...asked, where: [...others, clause] };
}

/** Ready-made comparisons of all results, one click each. */
function Presets() {
  const facets = useQuery(facetsQuery({ metrics: [], where: [], flagged: "exclude" }));
  return (
    <nav aria-label="Ready-made comparisons" className={styles.presets}>
      {/* Available at once; the others load after it, so nothing moves. */}
      <Link to="/machines" search={{}}>
        A Mac vs. its chip
      </Link>
      {facets.data
        ? presetsOf(facets.data).map(({ title, sides }) => (
            <Link key={title} to="/compare" search={sidesSearch(sides)}>
              {title}
            </Link>
          ))
        : null}
    </nav>
  );
}

/** Save, copy or download the comparison. */
function Actions({ question, save }: Pick<Props, "save"> & { question: string }) {
  return (
    <div className={styles.actions}>
      {save(question)}
      <CopyButton text={new URL(`/compare?${question}`, location.href).href}>
        Copy live link
      </CopyButton>
      <Downloads question={question} answer="compare" />
    </div>
  );
}
