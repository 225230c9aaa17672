import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Problem } from "../../api/client";
import { comparisonQuery } from "../../api/comparisons";
import { answerQuery, catalogQuery } from "../../api/queries";
import type { Comparison } from "../../api/types";
import { counted, moment, percent } from "../../format";
import { readQuestion } from "../../links/question";
import { parseSearch } from "../../links/search";
import { CopyButton } from "../../ui/CopyButton";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { About } from "../answer/About";
import { AnswerView } from "../answer/AnswerView";
import { FIGURE_HEIGHT } from "../answer/heights";
import { LeftOut } from "../answer/LeftOut";
import { ProblemNotice } from "../answer/ProblemNotice";
import { questionTitle, readingOrder, wordsOf } from "../answer/words";
import { filtersInWords } from "../filters/filterWords";
import { placeOf } from "../views/topics";
import styles from "./ComparisonPage.module.css";
import { OwnerPanel } from "./OwnerPanel";
import { secretOf } from "./secrets";

interface Props {
  slug: string;
  /** Today's answer to the saved question instead of the frozen one. */
  live: boolean;
}

export function ComparisonPage({ slug, live }: Props) {
  const secret = secretOf(slug);
  const catalog = useQuery(catalogQuery);
  const saved = useQuery(comparisonQuery(slug, secret));
  const canonical = saved.data?.question.canonical;
  const question = useMemo(() => readQuestion(canonical ?? ""), [canonical]);
  const today = useQuery({ ...answerQuery(question), enabled: live && canonical !== undefined });
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const title =
    saved.data && words
      ? (saved.data.title ??
        questionTitle(
          words,
          saved.data.question.metrics,
          readingOrder(words, saved.data.question.by),
        ))
      : undefined;
  useTitle(title);

  const failure = saved.error ?? catalog.error ?? (live ? today.error : null);
  if (failure)
    return <Unavailable slug={slug} error={failure} onRetry={() => void saved.refetch()} />;
  if (!saved.data || !words) return <Skeleton height={FIGURE_HEIGHT + 160} lines={20} />;

  const answer = live ? today.data : saved.data.answer;
  const { topic, view } = placeOf(question);
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <p className={styles.kind}>Saved comparison</p>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {saved.data.note ? (
          <p className={styles.note}>
            <bdi>{saved.data.note}</bdi>
          </p>
        ) : null}
        <Frozen saved={saved.data} live={live} />
      </header>
      {secret ? <OwnerPanel saved={saved.data} secret={secret} /> : null}
      {answer ? (
        <AnswerView
          answer={answer}
          words={words}
          filters={[...filtersInWords(words, question.where), live ? "live" : "frozen"]}
          between={
            <>
              <LeftOut answer={answer} words={words} />
              <div className={styles.actions}>
                <CopyButton text={new URL(saved.data.url, location.href).href}>
                  Copy link
                </CopyButton>
                <a
                  className="button"
                  href={
                    live
                      ? `/api/v1/answer.csv?${canonical}`
                      : `/api/v1/comparisons/${encodeURIComponent(slug)}/answer.csv`
                  }
                  download
                >
                  Figures as CSV
                </a>
                <Link to={topic.path} search={parseSearch(canonical ?? "")} className="button">
                  Ask further from here
                </Link>
              </div>
              <About answer={answer} words={words} remarks={view?.about ?? []} />
            </>
          }
        />
      ) : (
        <Skeleton height={FIGURE_HEIGHT} lines={18} />
      )}
    </article>
  );
}

/** What is frozen since when, whether it still holds, and the way to today's figures. */
function Frozen({ saved, live }: { saved: Comparison; live: boolean }) {
  return (
    <div className={styles.frozen}>
      <p>
        {live
          ? "Live figures."
          : `Frozen on ${moment(saved.created_at)}, from ${counted(saved.runs, "run")}.`}{" "}
        {saved.changed ? (
          <strong className={styles.changed}>
            Live data has changed since. {changeText(saved)}
          </strong>
        ) : (
          "Live data is the same."
        )}
      </p>
      <nav aria-label="Frozen or live" className={styles.switch}>
        <Link
          to="/c/$slug"
          params={{ slug: saved.slug }}
          search={{}}
          resetScroll={false}
          aria-current={live ? undefined : "page"}
        >
          Frozen
        </Link>
        <Link
          to="/c/$slug"
          params={{ slug: saved.slug }}
          search={{ live: ["1"] }}
          resetScroll={false}
          aria-current={live ? "page" : undefined}
        >
          Live
        </Link>
      </nav>
      <p className={styles.hash}>
        Content <code title={saved.content_hash}>{saved.content_hash}</code>
      </p>
    </div>
  );
}

function changeText({ change }: Comparison): string {
  if (!change) return "";
  const largest =
    typeof change.largest === "number" && change.largest !== 1
      ? `, the largest to ${percent(change.largest)} of what it was`
      : "";
  return `${counted(change.groups, "figure")} ${change.groups === 1 ? "differs" : "differ"}${largest}.`;
}

const GONE: Record<string, string> = {
  comparison_paused: "This comparison is paused",
  comparison_revoked: "This comparison was revoked",
  comparison_expired: "This comparison has expired",
  comparison_tombstone: "The figures of this comparison were deleted",
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
  const ways = (
    <Link to="/storage" search={{}}>
      Go to Storage
    </Link>
  );
  if (error instanceof Problem && error.status === 410) {
    return (
      <Notice page title={GONE[error.code] ?? error.title} actions={ways}>
        <p>{error.message}</p>
        <p className="quiet">
          /c/<bdi>{slug}</bdi>
        </p>
      </Notice>
    );
  }
  return <ProblemNotice page error={error} onRetry={onRetry} ways={ways} />;
}
