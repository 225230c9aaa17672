import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { judge, reviewQuery, type Waiting } from "../../api/review";
import { counted } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "./ReviewPage.module.css";
import { WaitingRun } from "./WaitingRun";

/** Quarantined or reported runs, for the server's admins to review one by one. */
export function ReviewPage() {
  useTitle("Review");
  const review = useQuery(reviewQuery);
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>Review</h1>
        <p className={prose.lead}>
          Public runs that this server put aside, and runs that readers doubt. The answer is shown
          on the page of a withdrawn run and to whoever reported a problem.
        </p>
      </header>
      {review.error ? (
        <ProblemNotice error={review.error} onRetry={() => void review.refetch()} />
      ) : review.data ? (
        <Queue items={review.data.items} total={review.data.total} />
      ) : (
        <Skeleton height="40rem" lines={20} />
      )}
    </div>
  );
}

function Queue({ items, total }: { items: Waiting[]; total: number }) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const move = useCallback(
    (to: number) => {
      const index = Math.max(0, Math.min(items.length - 1, to));
      setCurrent(index);
      list.current?.children[index]?.querySelector<HTMLElement>("[data-place]")?.focus();
    },
    [items.length],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("textarea, input")) return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "j") move(current + 1);
      else if (event.key === "k") move(current - 1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [current, move]);
  if (items.length === 0) {
    return (
      <Notice title="Nothing waits for a judgement">
        <p>Runs appear here when they claim the impossible, or when a reader reports a problem.</p>
      </Notice>
    );
  }
  return (
    <>
      <p className="quiet">
        {counted(total, "run")} to judge{total > items.length ? `, ${items.length} shown` : ""}.
        Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>s</kbd> keep, <kbd>w</kbd> withdraw.
      </p>
      <ol className={styles.queue} ref={list}>
        {items.map((item, index) => (
          <Judged
            key={item.run.id}
            item={item}
            isCurrent={index === current}
            onCurrent={() => setCurrent(index)}
            onJudged={() => move(index + 1)}
          />
        ))}
      </ol>
    </>
  );
}

interface JudgedProps {
  item: Waiting;
  isCurrent: boolean;
  onCurrent: () => void;
  onJudged: () => void;
}

function Judged({ item, isCurrent, onCurrent, onJudged }: JudgedProps) {
  const judging = useMutation({
    mutationFn: (judgement: Parameters<typeof judge>[1]) => judge(item.run.id, judgement),
    onSuccess: onJudged,
  });
  return (
    <li className={styles.item} aria-current={isCurrent || undefined}>
      <WaitingRun
        item={item}
        isCurrent={isCurrent}
        onCurrent={onCurrent}
        isJudging={judging.isPending}
        judged={judging.isSuccess ? judging.variables.decision : undefined}
        onJudge={judging.mutate}
      />
      {judging.error ? <ProblemNotice error={judging.error} /> : null}
    </li>
  );
}
