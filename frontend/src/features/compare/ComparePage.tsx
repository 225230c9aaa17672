import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { catalogQuery, compareQuery, facetsQuery } from "../../api/queries";
import { parseClause } from "../../links/clause";
import { FEWEST_SIDES, MOST_SIDES, printSides, type Sides, sidesSearch } from "../../links/sides";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/CopyButton";
import { Menu } from "../../ui/Menu";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { Downloads } from "../../figures/Downloads";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { useTitle } from "../../ui/useTitle";
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

/** Comparison of two to eight machines or groups: the finding, then the sides as columns. */
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
  const [opened, setOpened] = useState<Editor>();
  const editing = enough ? opened : "sides";
  const failure = catalog.error ?? (enough ? compared.error : null);
  // While a new comparison loads, keep the old one only if it has as many sides.
  const shown =
    enough && compared.data?.comparison.sides.length === asked.sides.length
      ? compared.data
      : undefined;
  const columns = shown?.figure.sides;
  const names = shown?.comparison.sides.map(({ label }) => label) ?? [];
  const title = (failure ? "" : shown?.figure.finding || columns?.question) || "Compare";
  useTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.crumb}>
          <p>
            {columns ? (
              <>
                <Link to="/compare" search={{}}>
                  Compare
                </Link>
                {" / "}
                <bdi>{LIST.format(columns.heads.map(({ name }) => name))}</bdi>
              </>
            ) : null}
          </p>
          <Presets />
        </div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <Toolbar
          asked={asked}
          editing={editing}
          onEdit={(editor) => setOpened(opened === editor ? undefined : editor)}
          onAdd={() => {
            setOpened("sides");
            onAsk({ ...asked, sides: [...asked.sides, { where: [] }] });
          }}
          onAsk={onAsk}
        >
          {enough ? <Actions question={printSides(asked)} save={save} /> : null}
        </Toolbar>
      </header>
      {catalog.data && words && editing ? (
        <div className={styles.editor}>
          {editing === "sides" ? (
            <SidesEditor asked={asked} names={names} words={words} onAsk={onAsk} />
          ) : null}
          {editing === "metrics" || asked.metrics.length === 0 ? (
            <MetricsEditor asked={asked} catalog={catalog.data} words={words} onAsk={onAsk} />
          ) : null}
        </div>
      ) : null}
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
              ways={{
                onOffer: (text) => onAsk(offered(asked, text)),
                onCrude: (crude) => onAsk({ ...asked, crude: crude || undefined }),
                onEdit: () => setOpened("sides"),
                onFlagged: (flagged) => onAsk({ ...asked, flagged }),
              }}
            />
          </div>
        ) : (
          <Skeleton height="50rem" lines={24} />
        )}
      </div>
    </div>
  );
}

const LIST = new Intl.ListFormat("en-GB");

type Editor = "sides" | "metrics";

interface ToolbarProps extends Pick<Props, "asked" | "onAsk"> {
  editing: Editor | undefined;
  onEdit: (editor: Editor) => void;
  onAdd: () => void;
  /** Buttons at the end. */
  children: React.ReactNode;
}

function Toolbar({ asked, editing, onEdit, onAdd, onAsk, children }: ToolbarProps) {
  const { sides, metrics, baseline } = asked;
  return (
    <div className={styles.toolbar}>
      <Button aria-expanded={editing === "sides"} onClick={() => onEdit("sides")}>
        Edit sides
      </Button>
      {sides.length < MOST_SIDES ? <Button onClick={onAdd}>Add a side</Button> : null}
      {sides.length === FEWEST_SIDES ? (
        <Button onClick={() => onAsk({ ...asked, baseline: FEWEST_SIDES + 1 - baseline })}>
          Swap
        </Button>
      ) : null}
      <Button aria-expanded={editing === "metrics"} onClick={() => onEdit("metrics")}>
        Metrics <b className={styles.on}>{metrics.length}</b>
      </Button>
      <span className={styles.push} />
      {children}
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
    <>
      {save(question)}
      <Menu label="Export">
        <CopyButton text={new URL(`/compare?${question}`, location.href).href}>
          Copy live link
        </CopyButton>
        <Downloads question={question} answer="compare" />
      </Menu>
    </>
  );
}
