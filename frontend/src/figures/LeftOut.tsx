import { lazy, Suspense, useState } from "react";
import type { Answer } from "../api/types";
import { Skeleton } from "../ui/Skeleton";
import styles from "./LeftOut.module.css";
import { leftOut, listed, type Words } from "./words";

const DoubtedRuns = lazy(() => import("./DoubtedRuns"));

interface Props {
  answer: Answer;
  words: Words;
  /** Brings the doubted ones back, or leaves them out again; absent for a frozen answer. */
  onFlagged?: (flagged: "exclude" | "include") => void;
}

/** What the answer leaves out and what its reader must know: never a silent omission. */
export function LeftOut({ answer, words, onFlagged }: Props) {
  const [shown, setShown] = useState(false);
  const reasons = new Map<string, number>();
  for (const { excluded } of answer.results) {
    for (const { reason, runs } of excluded) {
      reasons.set(reason, Math.max(reasons.get(reason) ?? 0, runs));
    }
  }
  const notes = new Map(
    answer.results
      .flatMap((result) => result.notes)
      // What is mixed stands under the title, before any figure.
      .flatMap(({ code, text }) => (code === "mixes" ? [] : [[code, text]])),
  );
  const included = answer.question.flagged === "include";
  // What was withdrawn comes back for no question.
  const doubted = [...reasons.keys()].some(
    (reason) => reason !== "withdrawn" && words.flag(reason).severity === "doubt",
  );
  if (reasons.size === 0 && notes.size === 0 && !included) return null;
  return (
    <div className={styles.remarks}>
      {reasons.size > 0 ? (
        <p className={styles.out}>
          Left out: {listed([...reasons].map(([reason, runs]) => leftOut(words, reason, runs)))}.{" "}
          {onFlagged && doubted ? (
            <>
              <button
                type="button"
                className="act"
                aria-expanded={shown}
                onClick={() => setShown(!shown)}
              >
                {shown ? "Hide them" : "Show them"}
              </button>{" "}
              <button type="button" className="act" onClick={() => onFlagged("include")}>
                Count them in
              </button>
            </>
          ) : null}
        </p>
      ) : null}
      {shown && doubted ? (
        <Suspense fallback={<Skeleton height="14rem" lines={6} />}>
          <DoubtedRuns answer={answer} words={words} />
        </Suspense>
      ) : null}
      {included ? (
        <p className={styles.out}>
          Doubted runs are counted in these figures.{" "}
          {onFlagged ? (
            <button type="button" className="act" onClick={() => onFlagged("exclude")}>
              Leave them out
            </button>
          ) : null}
        </p>
      ) : null}
      {[...notes].map(([code, text]) => (
        <p key={code}>{text}</p>
      ))}
    </div>
  );
}
