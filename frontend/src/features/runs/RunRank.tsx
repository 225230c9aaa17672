import { useQuery } from "@tanstack/react-query";
import { rankQuery } from "../../api/machines";
import type { RunDetail } from "../../api/types";
import { Command } from "../../ui/Command";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Skeleton } from "../../ui/Skeleton";
import section from "../../ui/Section.module.css";

/** Whether the agent wrote files of many sizes, from which a rank follows. */
export const isRanked = ({ source, results }: Pick<RunDetail, "source" | "results">) =>
  source === "measured" && results.some(({ metric }) => metric === "disk.write_speed");

/** The sentences with which the agent ended, and what the full test adds to a quick one. */
export function RunRank({ run }: { run: RunDetail }) {
  const rank = useQuery(rankQuery(run.id));
  return (
    <section className={section.section} aria-labelledby="rank">
      <h2 id="rank">Rank</h2>
      {rank.error ? (
        <ProblemNotice error={rank.error} onRetry={() => void rank.refetch()} />
      ) : rank.data ? (
        <>
          {rank.data.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {rank.data.basis ? <p className={section.note}>{rank.data.basis}</p> : null}
          {rank.data.full_test ? (
            <>
              <p>This was the quick test. {rank.data.full_test}</p>
              <Command text="macmeter disk" />
            </>
          ) : null}
        </>
      ) : (
        <Skeleton height="6rem" lines={3} />
      )}
    </section>
  );
}
