import { useQuery } from "@tanstack/react-query";
import { doubtedQuery } from "../api/queries";
import type { FrozenAnswer } from "../api/types";
import { count, counted } from "../ui/format";
import { Skeleton } from "../ui/Skeleton";
import { RunsTable } from "./RunsTable";
import { ProblemNotice } from "../ui/ProblemNotice";
import { clauseOf } from "./runsLink";

/** Doubtful runs that an answer leaves out, each with its reason. */
export default function DoubtedRuns({ answer }: { answer: FrozenAnswer }) {
  const { metrics, where } = answer.question;
  const doubted = useQuery(doubtedQuery({ metrics, where: where.map(clauseOf) }));
  if (doubted.error) return <ProblemNotice error={doubted.error} />;
  if (!doubted.data) return <Skeleton height="14rem" lines={6} />;
  const { items, total } = doubted.data;
  return (
    <section aria-label="Doubted runs">
      <p>
        {items.length < total
          ? `The newest ${count(items.length)} of ${counted(total, "doubted run")}`
          : counted(total, "doubted run")}
      </p>
      <RunsTable runs={items} />
    </section>
  );
}
