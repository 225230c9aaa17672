import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Problem } from "../../api/client";
import {
  changeMachine,
  deleteMachine,
  letMachineGo,
  machineQuery,
  makeMachineSecret,
  type OwnMachine,
  ownMachinesQuery,
} from "../../api/machines";
import { thingQuery } from "../../api/things";
import type { MachineDetail } from "../../api/types";
import { useChange } from "../../api/useChange";
import { Button } from "../../ui/Button";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { counted, day, days } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import styles from "./MyMacs.module.css";
import { Naming } from "./Managing";
import { Title } from "./Verdict";

interface Props {
  mac: OwnMachine;
}

/** One of the reader's Macs: its facts, its verdict, and actions on it. */
export function OwnMac({ mac }: Props) {
  const machine = useQuery({ ...machineQuery(mac.id), retry: false });
  const hasNoRuns = machine.error instanceof Problem && machine.error.status === 404;
  if (!machine.data && !machine.error) return <Skeleton height="24rem" lines={10} />;
  const { data } = machine;
  const title = mac.name ?? data?.words.title ?? `Mac ${mac.id.slice(0, 8)}`;
  return (
    <section className={styles.mac} aria-label={title}>
      <header>
        <h2>
          {data ? (
            <Link to="/machines/$id" params={{ id: mac.id }} search={{}}>
              <bdi>{title}</bdi>
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}
        </h2>
        <p className={section.note}>
          <bdi>{data ? aboutMac(mac, data) : "No runs yet."}</bdi>
          {mac.retired_at ? ` Retired since ${day(mac.retired_at)}.` : ""}
        </p>
      </header>
      {machine.error && !hasNoRuns ? <ProblemNotice error={machine.error} /> : null}
      {data ? <Standing id={mac.id} /> : null}
      <Acts mac={mac} title={title} runs={data?.runs ?? 0} />
    </section>
  );
}

/** The verdict of the Mac's page, which has its chart and its place. */
function Standing({ id }: { id: string }) {
  const verdict = useQuery(thingQuery("machines", id)).data?.verdict;
  if (!verdict) return null;
  return (
    <>
      <p>
        <strong>
          <Title verdict={verdict} />
        </strong>
      </p>
      <p className={section.note}>{verdict.lede}</p>
    </>
  );
}

function aboutMac(mac: OwnMachine, machine: MachineDetail): string {
  const model = mac.name === null ? null : machine.words.title;
  const runs = `${counted(machine.runs, "run")}, ${days(machine.first_at, machine.last_at)}`;
  return [model, machine.chip, machine.words.system, runs].filter(Boolean).join(" · ");
}

interface ActsProps {
  mac: OwnMachine;
  title: string;
  runs: number;
}

type Act = () => Promise<unknown>;

function Acts({ mac, title, runs }: ActsProps) {
  const [isNaming, setIsNaming] = useState(false);
  const acting = useChange(
    (act: Act) => act(),
    ownMachinesQuery.queryKey,
    () => setIsNaming(false),
  );
  const again = useMutation({ mutationFn: () => makeMachineSecret(mac.id) });
  const isBusy = acting.isPending || again.isPending;
  return (
    <>
      {isNaming ? (
        <Naming
          label="Name, shown only to you"
          name={mac.name ?? ""}
          acting={acting}
          onName={(name) => acting.mutate(() => changeMachine(mac.id, { name }))}
          onCancel={() => setIsNaming(false)}
        />
      ) : (
        <div className={styles.actions}>
          <Button asText aria-label={`Rename ${title}`} onClick={() => setIsNaming(true)}>
            Rename
          </Button>
          <Confirmed
            label="Enrol again"
            confirm="Create a secret for this Mac, if it lost its token"
            about={title}
            isBusy={isBusy}
            onConfirm={() => again.mutate()}
          />
          <Confirmed
            label="Unclaim"
            confirm="Unclaim it: runs stay, anyone with the Mac can claim it"
            about={title}
            isBusy={isBusy}
            onConfirm={() => acting.mutate(() => letMachineGo(mac.id))}
          />
          <Confirmed
            label="Delete"
            confirm={`Delete it with ${counted(runs, "run")}, for good`}
            about={title}
            isBusy={isBusy}
            onConfirm={() => acting.mutate(() => deleteMachine(mac.id))}
          />
        </div>
      )}
      {again.data ? (
        <ShownOnce>
          <p>Run this on that Mac within a day. It works once, and is shown only now.</p>
          <Copyable text={again.data.command}>Copy command</Copyable>
        </ShownOnce>
      ) : null}
      <Failed error={(isNaming ? null : acting.error) ?? again.error} />
    </>
  );
}
