import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Problem } from "../../api/client";
import { comparisonQuery } from "../../api/comparisons";
import { catalogQuery } from "../../api/queries";
import type { Comparison } from "../../api/types";
import { counted, moment } from "../../ui/format";
import type { SearchLists } from "../../links/search";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { FIGURE_HEIGHT } from "../../figures/heights";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import type { Topics } from "../../questions/view";
import styles from "./ComparisonPage.module.css";
import { OwnerPanel } from "./OwnerPanel";
import { SavedAnswerView } from "./SavedAnswerView";
import { SideBySide } from "./SideBySide";
import { SavedSidesView } from "./SavedSidesView";
import { secretOf } from "./secrets";
import { WithdrawnRuns } from "./WithdrawnRuns";

/** The frozen figures, the live ones, or both. */
export type Shown = "frozen" | "live" | "both";

interface Props {
  slug: string;
  /** Pages on which the question can be asked live. */
  topics: Topics;
  shown: Shown;
}

export function ComparisonPage({ slug, topics, shown }: Props) {
  const secret = secretOf(slug);
  const catalog = useQuery(catalogQuery);
  const saved = useQuery(comparisonQuery(slug, secret));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const title = saved.data ? (saved.data.title ?? saved.data.figure.title) : undefined;
  useTitle(title);

  const failure = saved.error ?? catalog.error;
  if (failure)
    return <Unavailable slug={slug} error={failure} onRetry={() => void saved.refetch()} />;
  if (saved.data?.state === "revoked")
    return <Closed slug={slug} title={GONE.comparison_revoked} />;
  if (!saved.data || !words) return <Skeleton height={FIGURE_HEIGHT + 160} lines={20} />;
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <p className={styles.kind}>Saved comparison</p>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {saved.data.sentence ? (
          <p className={styles.sentence}>
            <bdi>{saved.data.sentence}</bdi>
          </p>
        ) : null}
        {saved.data.note ? (
          <p className={styles.note}>
            <bdi>{saved.data.note}</bdi>
          </p>
        ) : null}
        <Frozen saved={saved.data} shown={shown} />
        <WithdrawnRuns runs={saved.data.withdrawn} />
      </header>
      {secret ? <OwnerPanel saved={saved.data} secret={secret} /> : null}
      {shown === "both" ? (
        <SideBySide slug={slug} secret={secret} />
      ) : saved.data.kind === "question" ? (
        <SavedAnswerView saved={saved.data} topics={topics} live={shown === "live"} words={words} />
      ) : (
        <SavedSidesView saved={saved.data} live={shown === "live"} words={words} />
      )}
    </article>
  );
}

const SHOWN: readonly [Shown, string, SearchLists][] = [
  ["frozen", "Frozen", {}],
  ["live", "Live", { live: ["1"] }],
  ["both", "Side by side", { both: ["1"] }],
];

/** When the figures were frozen, whether live ones differ, and a switch between them. */
function Frozen({ saved, shown }: { saved: Comparison; shown: Shown }) {
  return (
    <div className={styles.frozen}>
      <p>
        {shown === "live"
          ? "Live figures."
          : `Frozen on ${moment(saved.created_at)}, from ${counted(saved.runs, "run")}.`}{" "}
        {saved.changed ? (
          <strong className={styles.changed}>{saved.change?.text}</strong>
        ) : (
          "Live figures are the same."
        )}
      </p>
      {saved.computed_differently.map((since) => (
        <p key={since.derivation_version}>
          <strong className={styles.changed}>Computed differently since:</strong> {since.text}
        </p>
      ))}
      {saved.fewest_machines ? (
        <p>
          Shared by an admin of the fleet. Figures with fewer than{" "}
          {counted(saved.fewest_machines, "Mac")} are left out.
        </p>
      ) : null}
      {saved.withheld > 0 ? (
        <p>
          <strong className={styles.changed}>
            {counted(saved.withheld, "figure")} {saved.withheld === 1 ? "is" : "are"} hidden
          </strong>{" "}
          because a fleet is no longer public. The content hash below still covers{" "}
          {saved.withheld === 1 ? "it" : "them"}.
        </p>
      ) : null}
      <nav aria-label="Frozen or live" className={styles.switch}>
        {SHOWN.filter(([name]) => name !== "live" || !saved.fewest_machines).map(
          ([name, title, search]) => (
            <Link
              key={name}
              to="/c/$slug"
              params={{ slug: saved.slug }}
              search={search}
              resetScroll={false}
              activeOptions={{ exact: true }}
              aria-current={shown === name ? "page" : undefined}
            >
              {title}
            </Link>
          ),
        )}
      </nav>
      <p className={styles.hash}>
        As of {moment(saved.answer.as_of)} · Content{" "}
        <code title="SHA-256 of format, question and answer in RFC 8785 form">
          {saved.content_hash}
        </code>
      </p>
    </div>
  );
}

const GONE: Record<string, string> = {
  comparison_paused: "This comparison is paused",
  comparison_revoked: "This comparison was revoked",
  comparison_expired: "This comparison has expired",
  comparison_tombstone: "The figures of this comparison were deleted",
  comparison_unshared: "This comparison is no longer shared",
  comparison_private: "This comparison is no longer public",
};

function Unavailable({
  slug,
  error,
  onRetry,
}: {
  slug: string;
  error: unknown;
  onRetry: () => void;
}) {
  if (error instanceof Problem && error.status === 410) {
    return <Closed slug={slug} title={GONE[error.code] ?? error.title} detail={error.message} />;
  }
  return <ProblemNotice page error={error} onRetry={onRetry} ways={WAYS} />;
}

const WAYS = (
  <>
    <Link to="/storage" search={{}}>
      Go to Storage
    </Link>
    <Link to="/links">My links</Link>
  </>
);

function Closed({
  slug,
  title = "This comparison is closed",
  detail,
}: {
  slug: string;
  title?: string;
  detail?: string;
}) {
  return (
    <Notice page title={title} actions={WAYS}>
      {detail ? <p>{detail}</p> : null}
      <p className="quiet">
        /c/<bdi>{slug}</bdi>
      </p>
    </Notice>
  );
}
