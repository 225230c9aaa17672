import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type BulkChange,
  type BulkChanges,
  type Dashboard,
  changeMachines,
  deleteMachines,
} from "../../api/fleets";
import { fleetsQuery } from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { Form } from "../../ui/Form";
import { counted } from "../../ui/format";
import { type Labels, LabelForm } from "../../ui/LabelForm";
import styles from "./Fleet.module.css";
import { Import } from "./Import";

interface Props {
  fleet: string;
  /** Ids of the Macs that are chosen. */
  chosen: ReadonlySet<string>;
  /** Whether the list is that of retired Macs. */
  areRetired: boolean;
  /** Labels that form groups of the fleet's Macs. */
  labels: Dashboard["labels"];
  onDone: () => void;
}

type Change = Omit<BulkChanges["machines"][number], "id">;

interface Sent {
  at: string;
  body: BulkChanges;
  /** Whether it takes the last change back. */
  undoes?: boolean;
}

/** Acts on the chosen Macs together, and undoes the last one as one. */
export function Selected({ fleet, chosen, areRetired, labels, onDone }: Props) {
  const queries = useQueryClient();
  const [done, setDone] = useState<BulkChange>();
  const acting = useMutation({
    mutationFn: ({ at, body }: Sent) => changeMachines(at, body),
    onSuccess: async (changed, { undoes }) => {
      setDone(undoes ? undefined : changed);
      onDone();
      // Names and fleets are in every answer.
      await queries.invalidateQueries();
    },
  });
  const macs = counted(chosen.size, "Mac");
  const act = (change: Change, to?: string) =>
    acting.mutate({
      at: fleet,
      body: {
        machines: [...chosen].map((id) => ({ id, ...change })),
        ...(to ? { fleet: to } : {}),
      },
    });
  const confirmed = (label: string, confirm: string, change: Change) => (
    <Confirmed
      label={label}
      confirm={`${confirm} ${macs}`}
      about={macs}
      isBusy={acting.isPending}
      onConfirm={() => act(change)}
    />
  );
  return (
    <div
      className={chosen.size > 0 ? styles.chosen : styles.selected}
      role="group"
      aria-label="Chosen Macs"
    >
      {chosen.size > 0 ? (
        <>
          <span>{macs} chosen</span>
          {chosen.size === 1 ? (
            <Namer isBusy={acting.isPending} onName={(name) => act({ name })} />
          ) : null}
          <Labeller
            known={labels}
            isBusy={acting.isPending}
            onLabel={(newLabels) => act({ labels: newLabels })}
          />
          {areRetired
            ? confirmed("Bring back", "Bring back", { retired: false })
            : confirmed("Retire", "Retire", { retired: true })}
          {confirmed("Revoke", "Revoke", { barred: true })}
          {confirmed("Allow again", "Allow again", { barred: false })}
          <Mover fleet={fleet} macs={macs} isBusy={acting.isPending} onMove={(to) => act({}, to)} />
          {/* Whatever is counted is counted again when others are chosen. */}
          <Deleter key={[...chosen].join()} fleet={fleet} chosen={chosen} onDone={onDone} />
        </>
      ) : done ? (
        <>
          <span role="status">
            {done.changed > 0 ? `${counted(done.changed, "Mac")} changed.` : "Nothing to change."}
          </span>
          {done.changed > 0 ? (
            <Button
              asText
              disabled={acting.isPending}
              onClick={() => acting.mutate({ at: done.fleet, body: done.undo, undoes: true })}
            >
              Undo
            </Button>
          ) : null}
        </>
      ) : null}
      <Failed error={acting.error} />
      {chosen.size === 0 ? (
        <Import
          fleet={fleet}
          isBusy={acting.isPending}
          onName={(machines) => acting.mutate({ at: fleet, body: { machines } })}
        />
      ) : null}
    </div>
  );
}

/** Focus the field that takes the place of a button. */
const focus = (field: HTMLElement | null) => field?.focus();

/** A name for the one Mac that is chosen. */
function Namer({ isBusy, onName }: { isBusy: boolean; onName: (name: string) => void }) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <Button asText onClick={() => setName("")}>
        Name
      </Button>
    );
  }
  return (
    <Form className={styles.acts} onSubmit={() => onName(name)}>
      <input
        className="field"
        maxLength={60}
        ref={focus}
        aria-label="Name or asset tag, shown only to this fleet"
        placeholder="Name or asset tag"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button submit disabled={isBusy}>
        Save
      </Button>
    </Form>
  );
}

interface LabellerProps {
  known: Dashboard["labels"];
  isBusy: boolean;
  onLabel: (labels: Labels) => void;
}

/** A label for the Macs that are chosen. */
function Labeller({ known, isBusy, onLabel }: LabellerProps) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <LabelForm
      className={styles.tools}
      knownLabels={known}
      isBusy={isBusy}
      onLabel={onLabel}
      onCancel={() => setOpen(false)}
    />
  ) : (
    <Button asText onClick={() => setOpen(true)}>
      Label
    </Button>
  );
}

interface DeleterProps {
  fleet: string;
  chosen: ReadonlySet<string>;
  onDone: () => void;
}

/** Deletes the chosen Macs for good, after saying with how many runs. */
function Deleter({ fleet, chosen, onDone }: DeleterProps) {
  const queries = useQueryClient();
  const ids = [...chosen];
  const counting = useMutation({ mutationFn: () => deleteMachines(fleet, ids) });
  const deleting = useMutation({
    mutationFn: (runs: number) => deleteMachines(fleet, ids, runs),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries();
    },
    // The number may have changed: it is counted and asked again.
    onError: () => counting.reset(),
  });
  return (
    <>
      {counting.data ? (
        <>
          <Button
            ref={focus}
            primary
            disabled={deleting.isPending}
            onClick={() => deleting.mutate(counting.data.runs)}
          >
            Delete {counted(ids.length, "Mac")} with {counted(counting.data.runs, "run")}, for good
          </Button>
          <Button asText onClick={() => counting.reset()}>
            Cancel
          </Button>
        </>
      ) : (
        <Button
          asText
          disabled={counting.isPending}
          aria-label={`Delete ${counted(ids.length, "Mac")}`}
          onClick={() => counting.mutate()}
        >
          Delete
        </Button>
      )}
      <Failed error={counting.error ?? deleting.error} />
    </>
  );
}

interface MoverProps {
  fleet: string;
  macs: string;
  isBusy: boolean;
  onMove: (to: string) => void;
}

function Mover({ fleet, macs, isBusy, onMove }: MoverProps) {
  const fleets = useQuery(fleetsQuery).data?.items ?? [];
  const others = fleets.filter(({ name, role }) => name !== fleet && role === "admin");
  const [to, setTo] = useState("");
  if (others.length === 0) return null;
  return (
    <>
      <select
        className="field"
        aria-label="Move to the fleet"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      >
        <option value="">Move to…</option>
        {others.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </select>
      {to ? (
        <Confirmed
          label="Move"
          confirm={`Move ${macs} to ${to}, with their runs`}
          about={macs}
          isBusy={isBusy}
          onConfirm={() => onMove(to)}
        />
      ) : null}
    </>
  );
}
