import { Link } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import type { Judgement, Waiting } from "../../api/review";
import { Button } from "../../ui/Button";
import { day, moment } from "../../ui/format";
import styles from "./ReviewPage.module.css";

type Decision = Judgement["decision"];

interface Props {
  item: Waiting;
  isCurrent: boolean;
  onCurrent: () => void;
  isJudging: boolean;
  judged: Decision | undefined;
  onJudge: (judgement: Judgement) => void;
}

const ANSWERED: Record<Decision, string> = {
  stands: "Reviewed: the run was kept.",
  withdrawn: "Reviewed: the run was withdrawn.",
};
const SHORTEST = 10;

/** One run with the objections to it, and two buttons to decide. */
export function WaitingRun({ item, isCurrent, onCurrent, isJudging, judged, onJudge }: Props) {
  const { run, quarantined, doubts } = item;
  const headingId = useId();
  const [answer, setAnswer] = useState("");
  const decide = (decision: Decision) =>
    onJudge({ decision, answer: answer.trim() || reasonFor(decision, item) });
  const isShort = answer.trim() !== "" && answer.trim().length < SHORTEST;
  useEffect(() => {
    if (!isCurrent || isJudging || isShort) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("textarea, input")) return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "s") decide("stands");
      else if (event.key === "w") decide("withdrawn");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return (
    <>
      <h2 id={headingId} className={styles.name}>
        <Link to="/runs/$id" params={{ id: run.id }} data-place onFocus={onCurrent}>
          <bdi>{run.machine.chip ?? run.machine.model_name ?? "A run"}</bdi>,{" "}
          {moment(run.started_at ?? run.received_at)}
        </Link>
      </h2>
      <dl className={styles.reasons}>
        {quarantined ? (
          <div>
            <dt>Put aside by this server</dt>
            <dd>
              <bdi>{quarantined}</bdi>
            </dd>
          </div>
        ) : null}
        {doubts.map(({ reason, created_at }) => (
          <div key={`${created_at} ${reason}`}>
            <dt>Reported on {day(created_at)}</dt>
            <dd>
              <bdi>{reason}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <label className={styles.answer}>
        Answer, 10 to 2000 characters; may stay empty
        <textarea
          className="field"
          rows={2}
          maxLength={2000}
          value={answer}
          placeholder={judged ? undefined : reasonFor("withdrawn", item)}
          onFocus={onCurrent}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </label>
      <p className={styles.ways} role="group" aria-labelledby={headingId}>
        <Button
          disabled={isJudging || isShort || judged === "stands"}
          onClick={() => decide("stands")}
        >
          Keep it
        </Button>
        <Button
          disabled={isJudging || isShort || judged === "withdrawn"}
          onClick={() => decide("withdrawn")}
        >
          Withdraw it
        </Button>
        <span role="status" className="quiet">
          {isJudging ? "Saving" : judged ? `${ANSWERED[judged]} You can still change that.` : ""}
        </span>
      </p>
    </>
  );
}

/** The default answer, so that one key decides. */
function reasonFor(decision: Decision, { quarantined, doubts }: Waiting): string {
  if (decision === "stands") return ANSWERED.stands;
  return quarantined ?? doubts[0]?.reason ?? ANSWERED.withdrawn;
}
