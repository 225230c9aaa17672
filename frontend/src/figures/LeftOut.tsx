import { lazy, Suspense, useState } from "react";
import type { Figure, FrozenAnswer, Remark } from "../api/types";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Skeleton";
import { Folded } from "./Folded";
import { Likeness, type OnCrude } from "./Likeness";
import styles from "./LeftOut.module.css";

const DoubtedRuns = lazy(() => import("./DoubtedRuns"));

interface Props {
  answer: FrozenAnswer;
  figure: Figure;
  /** Include or exclude doubtful runs; absent for a frozen answer. */
  onFlagged?: (flagged: "exclude" | "include") => void;
  onCrude?: OnCrude;
}

/** Notes on what the answer leaves out, and other cautions: omissions are never silent. */
export function LeftOut({ answer, figure, onFlagged, onCrude }: Props) {
  const [shown, setShown] = useState(false);
  const notes = (figure.notes ?? []).filter((note) => !isCaution(note));
  // Withdrawn runs can't be included.
  const doubted = answer.results
    .flatMap(({ excluded }) => excluded)
    .some(({ reason, severity }) => reason !== "withdrawn" && severity === "doubt");
  if (notes.length === 0) return null;
  const paragraphOf = (note: Remark) => {
    const { code, text } = note;
    return (
      <p key={code + text} className={ACTED.has(code) ? styles.out : undefined}>
        {text}
        <Likeness note={note} onCrude={onCrude} />
        {code === "left_out" && onFlagged && doubted ? (
          <>
            {" "}
            <Button asText aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? "Hide them" : "Show them"}
            </Button>{" "}
            <Button asText onClick={() => onFlagged("include")}>
              Include
            </Button>
          </>
        ) : null}
        {code === "included" && onFlagged ? (
          <>
            {" "}
            <Button asText onClick={() => onFlagged("exclude")}>
              Exclude
            </Button>
          </>
        ) : null}
      </p>
    );
  };
  return (
    <div className={styles.remarks}>
      <Folded
        chief={notes.filter(({ code }) => ACTED.has(code)).map(paragraphOf)}
        others={notes.filter(({ code }) => !ACTED.has(code)).map(paragraphOf)}
      />
      {shown && doubted ? (
        <Suspense fallback={<Skeleton height="14rem" lines={6} />}>
          <DoubtedRuns answer={answer} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Whether a note is to be read before the figures, so that it is shown above them. */
export const isCaution = ({ code }: Remark) => code === "confounded" || code === "opposite";

/** Notes that a reader can act on. */
const ACTED = new Set(["left_out", "included", "held", "crude"]);
