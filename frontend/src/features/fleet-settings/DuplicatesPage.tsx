import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  fleetQuery,
  type LikelyMerge,
  type Merged,
  mergeMachine,
  mergesQuery,
  retireMachine,
  takeMergeBack,
} from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { Section } from "../../ui/Section";
import { counted, day, shortId } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { Unseen } from "../../figures/Unseen";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { MergeForm } from "./MergeForm";
import { SharedIds } from "./SharedIds";
import styles from "../../ui/Manage.module.css";

/** Macs with two ids, and ids shared by several Macs, each resolved in place. */
export function DuplicatesPage({ name }: { name: string }) {
  useTitle(`Duplicate Macs of ${name}`);
  const fleet = useQuery(fleetQuery(name));
  if (fleet.error) {
    return <Unseen error={fleet.error} onRetry={() => void fleet.refetch()} />;
  }
  if (!fleet.data) return <Skeleton height="30rem" lines={14} />;
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>Duplicate Macs</h1>
        <p className={prose.lead}>
          <Link to="/fleets/$name" params={{ name: fleet.data.name }}>
            <bdi>{fleet.data.name}</bdi>
          </Link>
          . A Mac that was erased enrols with a new id, and counts twice until you merge both. A Mac
          with two installations of macOS has an id for each: don’t merge these.
        </p>
      </header>
      {fleet.data.role === "admin" ? (
        <>
          <SharedIds fleet={name} />
          <Merges fleet={name} />
        </>
      ) : (
        <Notice title="Only admins of the fleet can merge Macs" />
      )}
    </div>
  );
}

/** A completed action and how to undo it. */
interface Done {
  text: string;
  undo: () => Promise<unknown>;
}

function Merges({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const merges = useQuery(mergesQuery(fleet));
  const acting = useMutation({
    mutationFn: (act: () => Promise<Done | undefined>) => act(),
    // Answers and lists now count other Macs.
    onSettled: () => queries.invalidateQueries(),
  });
  if (merges.error) return <ProblemNotice error={merges.error} />;
  if (!merges.data) return <Skeleton height="16rem" lines={6} />;
  const merge = (id: string, into: string) =>
    acting.mutate(async () => {
      const { runs } = await mergeMachine(id, into);
      return {
        text: `Merged: ${counted(runs, "run")} of ${shortId(id)} are now ${shortId(into)}’s.`,
        undo: () => takeMergeBack(id),
      };
    });
  const retire = (id: string) =>
    acting.mutate(async () => {
      await retireMachine(id, true);
      return {
        text: `Retired ${shortId(id)}. Its runs stay.`,
        undo: () => retireMachine(id, false),
      };
    });
  const undo = ({ undo: act }: Done) =>
    acting.mutate(async () => {
      await act();
      return undefined;
    });
  return (
    <>
      {acting.data ? (
        <p className={styles.done} role="status">
          {acting.data.text}{" "}
          <Button
            asText
            disabled={acting.isPending}
            onClick={() => acting.data && undo(acting.data)}
          >
            Undo
          </Button>
        </p>
      ) : null}
      <Failed error={acting.error} />
      <Likely
        pairs={merges.data.likely}
        isBusy={acting.isPending}
        onMerge={merge}
        onRetire={retire}
      />
      <MergeForm fleet={fleet} isBusy={acting.isPending} onMerge={merge} />
      <MergedIds
        merged={merges.data.merged}
        isBusy={acting.isPending}
        onTakeBack={(id) => undo({ text: "", undo: () => takeMergeBack(id) })}
      />
    </>
  );
}

interface LikelyProps {
  pairs: LikelyMerge[];
  isBusy: boolean;
  onMerge: (id: string, into: string) => void;
  onRetire: (id: string) => void;
}

function Likely({ pairs, isBusy, onMerge, onRetire }: LikelyProps) {
  return (
    <Section id="likely" title="Probably erased">
      <p>
        {pairs.length === 0
          ? "No Mac fell silent when just one other of its model enrolled."
          : "One Mac fell silent, and within 30 days one of the same model and chip enrolled. If it’s one Mac with two installations of macOS, do nothing: the line goes when the silent one uploads again."}
      </p>
      <ul>
        {pairs.map(({ former, present }) => (
          <li key={former.id} className={styles.row}>
            <div>
              <bdi>{former.title}</bdi>
              {former.chip ? `, ${former.chip}` : ""}
              <span className={styles.under}>
                <Mac id={former.id} />: {counted(former.runs, "run")}, last on {day(former.last_at)}
              </span>
              <span className={styles.under}>
                <Mac id={present.id} />: {counted(present.runs, "run")}, since{" "}
                {day(present.first_at)}
              </span>
            </div>
            <div className={styles.actions}>
              <Confirmed
                label="It’s one Mac"
                confirm={`Merge ${shortId(former.id)} into ${shortId(present.id)}`}
                about={`${shortId(former.id)} and ${shortId(present.id)}`}
                isBusy={isBusy}
                onConfirm={() => onMerge(former.id, present.id)}
              />
              <Confirmed
                label="They’re two"
                confirm={`Retire ${shortId(former.id)}, which is silent`}
                about={`${shortId(former.id)} and ${shortId(present.id)}`}
                isBusy={isBusy}
                onConfirm={() => onRetire(former.id)}
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface MergedProps {
  merged: Merged[];
  isBusy: boolean;
  onTakeBack: (id: string) => void;
}

function MergedIds({ merged, isBusy, onTakeBack }: MergedProps) {
  return (
    <Section id="merged" title="Merged">
      {merged.length === 0 ? <p>No ids were merged.</p> : null}
      <ul>
        {merged.map(({ machine_id, into, title, chip, runs, at }) => (
          <li key={machine_id} className={styles.row}>
            <div>
              <bdi>{title}</bdi>
              {chip ? `, ${chip}` : ""}
              <span className={styles.under}>
                {shortId(machine_id)} is <Mac id={into} /> · {counted(runs, "run")}
                {at ? ` · merged on ${day(at)}` : ""}
              </span>
            </div>
            <div className={styles.actions}>
              <Confirmed
                label="Take back"
                confirm={`Give ${shortId(machine_id)} its ${counted(runs, "run")} back`}
                about={`the merge of ${shortId(machine_id)}`}
                isBusy={isBusy}
                onConfirm={() => onTakeBack(machine_id)}
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Mac({ id }: { id: string }) {
  return (
    <Link to="/machines/$id" params={{ id }} title={id}>
      {shortId(id)}
    </Link>
  );
}
