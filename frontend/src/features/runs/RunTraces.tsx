import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { runsQuery } from "../../api/queries";
import type { ListedRun, RunDetail } from "../../api/types";
import { moment } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { traceQuery } from "./traceQuery";

const TraceFigure = lazy(() => import("./TraceFigure"));
const HEIGHT = "60rem";

/** The traces of a run and, for a guest's run, those of its host at the same time. */
export function RunTraces({ run }: { run: RunDetail }) {
  const host = hostOf(run);
  return (
    <>
      {run.traces.length > 0 ? (
        <Traces
          run={run}
          title="What the cores did"
          note="Sampling adds overhead, so these runs aren’t used for timing."
        />
      ) : null}
      {host ? <HostTraces guest={run} host={host} /> : null}
    </>
  );
}

function hostOf(run: RunDetail): string | undefined {
  const guest = run.environment.virtual_machine;
  const id = typeof guest === "object" && guest !== null && "host_machine_id" in guest;
  return id && typeof guest.host_machine_id === "string" ? guest.host_machine_id : undefined;
}

/** A run from its own page or from a list. */
type TracedRun = ListedRun | RunDetail;

interface TracesProps {
  run: TracedRun;
  title: string;
  note: string;
  /** A run whose time is highlighted in the trace. */
  beside?: TracedRun;
}

function Traces({ run, title, note, beside }: TracesProps) {
  const { data, error, isPending, refetch } = useQuery(traceQuery(run.id));
  if (error) return <ProblemNotice error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton height={HEIGHT} lines={12} />;
  if (!data) return null;
  const subtitle = [run.words.machine, run.machine.chip, run.started_at && moment(run.started_at)];
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} lines={12} />}>
      <TraceFigure
        data={data}
        title={title}
        subtitle={subtitle.filter(Boolean).join(", ")}
        note={note}
        span={beside ? spanOf(run, beside) : undefined}
      />
    </Suspense>
  );
}

const seconds = (time: string | null) => (time === null ? Number.NaN : Date.parse(time) / 1000);

/** Time of `beside`, in seconds from the start of `run`. */
function spanOf(run: ListedRun, beside: ListedRun): [number, number] {
  const start = seconds(run.started_at);
  return [seconds(beside.started_at) - start, seconds(beside.finished_at) - start];
}

/** Whether two runs overlap in time. */
export function overlap(a: ListedRun, b: ListedRun): boolean {
  return (
    seconds(a.started_at) < seconds(b.finished_at) && seconds(b.started_at) < seconds(a.finished_at)
  );
}

/** Traces of the first of the host's runs that overlaps the guest's and has any. */
function HostTraces({ guest, host }: { guest: RunDetail; host: string }) {
  const runs = useQuery(runsQuery([`machine:${host}`, "suite:power"], undefined));
  const meanwhile = runs.data?.items.filter((run) => overlap(run, guest)) ?? [];
  const traces = useQueries({ queries: meanwhile.map(({ id }) => traceQuery(id)) });
  if (runs.isPending || traces.some(({ isPending }) => isPending)) {
    return <Skeleton height={HEIGHT} lines={12} />;
  }
  const traced = meanwhile.find((_, index) => traces[index]?.data);
  if (!traced) {
    return (
      <Notice title="No host trace from the same time">
        <p>
          This run was in a virtual machine. To see what its host did, sample the host during the
          run: <code>sudo macmeter power</code>
        </p>
      </Notice>
    );
  }
  return (
    <>
      <Traces
        run={traced}
        beside={guest}
        title="What the host did"
        note="The host’s cores over time, with this run marked by the clocks of both."
      />
      <p>
        <Link to="/runs/$id" params={{ id: traced.id }}>
          The host’s run
        </Link>
      </p>
    </>
  );
}
