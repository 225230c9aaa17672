import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { changeMachines, type FleetMachine, fleetMachineQuery } from "../../api/fleets";
import { fleetQuery, fleetsQuery } from "../../api/fleetSettings";
import { changeMachine, deleteMachine } from "../../api/machines";
import { useChange } from "../../api/useChange";
import { Button } from "../../ui/Button";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { counted, day } from "../../ui/format";
import { type Labels, LabelForm } from "../../ui/LabelForm";
import styles from "./MyMacs.module.css";

interface Props {
  fleet: string;
  id: string;
}

/** What an admin of a Mac's fleet does with it; only its standing for everybody else. */
export function Managing({ fleet, id }: Props) {
  const machine = useQuery(fleetMachineQuery(fleet, id));
  const fleetSettings = useQuery(fleetQuery(fleet));
  if (!machine.data || !fleetSettings.data) return null;
  return (
    <>
      <Standing fleet={fleet} machine={machine.data} />
      {fleetSettings.data.role === "admin" ? <Acts fleet={fleet} machine={machine.data} /> : null}
    </>
  );
}

function Standing({ fleet, machine }: { fleet: string; machine: FleetMachine }) {
  const { retired_at, retired_by, barred } = machine;
  if (!retired_at && !barred) return null;
  return (
    <p role="status">
      {retired_at ? (
        <>
          Retired on {day(retired_at)}
          {retired_by ? (
            <>
              {" "}
              by <bdi>{retired_by}</bdi>
            </>
          ) : null}
          : it can’t upload, and its runs stay.{" "}
        </>
      ) : null}
      {barred ? (
        <>
          Revoked: its id can’t enrol again. Whoever has the Mac can enrol it under a new one while
          the secret in its profile is good: revoke that{" "}
          <Link to="/fleets/$name/settings" params={{ name: fleet }}>
            in the settings
          </Link>{" "}
          too.
        </>
      ) : null}
    </p>
  );
}

type Form = "name" | "label" | "move";

function Acts({ fleet, machine }: { fleet: string; machine: FleetMachine }) {
  const [form, setForm] = useState<Form>();
  const acting = useChange(
    (act: () => Promise<unknown>) => act(),
    undefined,
    () => setForm(undefined),
  );
  const change = (body: Parameters<typeof changeMachine>[1]) =>
    acting.mutate(() => changeMachine(machine.id, body));
  const { title } = machine.words;
  const act = (label: string, confirm: string, onConfirm: () => void) => (
    <Confirmed
      label={label}
      confirm={confirm}
      about={title}
      isBusy={acting.isPending}
      onConfirm={onConfirm}
    />
  );
  const cancel = () => setForm(undefined);
  if (form === "name") {
    return (
      <Naming
        label="Name or asset tag, shown only to this fleet"
        name={machine.name ?? ""}
        acting={acting}
        onName={(name) => change({ name })}
        onCancel={cancel}
      />
    );
  }
  const label = (labels: Labels) =>
    acting.mutate(() => changeMachines(fleet, { machines: [{ id: machine.id, labels }] }));
  if (form === "label") {
    return (
      <>
        <LabelForm
          className={styles.inline}
          isBusy={acting.isPending}
          onLabel={label}
          onCancel={cancel}
        />
        <Failed error={acting.error} />
      </>
    );
  }
  if (form === "move") {
    return (
      <Moving
        fleet={fleet}
        acting={acting}
        onMove={(to) => change({ fleet: to })}
        onCancel={cancel}
      />
    );
  }
  return (
    <>
      <div className={styles.actions} role="group" aria-label="Manage this Mac">
        <Button asText onClick={() => setForm("name")}>
          {machine.name === null ? "Name" : "Rename"}
        </Button>
        <Button asText onClick={() => setForm("label")}>
          Label
        </Button>
        {Object.entries(machine.given_labels).map(([key, value]) => (
          <Button
            key={key}
            asText
            disabled={acting.isPending}
            onClick={() => label({ [key]: null })}
          >
            Take back {key}: <bdi>{value}</bdi>
          </Button>
        ))}
        {machine.retired_at
          ? act("Bring back", "Let it upload again", () => change({ retired: false }))
          : act("Retire", "Retire it: uploads end, runs stay", () => change({ retired: true }))}
        {machine.barred
          ? act("Allow again", "Allow it to enrol again", () => change({ barred: false }))
          : act("Revoke", "End its token, and let it not enrol again", () =>
              change({ barred: true }),
            )}
        <Button asText onClick={() => setForm("move")}>
          Move
        </Button>
        {act("Delete", `Delete it with ${counted(machine.runs, "run")}, for good`, () =>
          acting.mutate(() => deleteMachine(machine.id)),
        )}
      </div>
      <Failed error={acting.error} />
    </>
  );
}

/** Focus the field that takes the place of a button. */
const focus = (field: HTMLInputElement | null) => field?.focus();

interface FormProps {
  acting: { isPending: boolean; error: Error | null };
  onCancel: () => void;
}

interface NamingProps extends FormProps {
  label: string;
  name: string;
  onName: (name: string) => void;
}

/** A field for a Mac's name, in place of what can be done with the Mac. */
export function Naming({ label, name: former, acting, onName, onCancel }: NamingProps) {
  const [name, setName] = useState(former);

  return (
    <Form className={styles.inline} onSubmit={() => onName(name)}>
      <Field label={label} maxLength={60} ref={focus} value={name} onValue={setName} />
      <Buttons label="Save" acting={acting} onCancel={onCancel} />
    </Form>
  );
}

function Moving({
  fleet,
  acting,
  onMove,
  onCancel,
}: FormProps & { fleet: string; onMove: (to: string) => void }) {
  const fleets = useQuery(fleetsQuery).data?.items ?? [];
  const others = fleets.filter(({ name, role }) => name !== fleet && role === "admin");
  const [to, setTo] = useState("");

  return (
    <Form className={styles.inline} onSubmit={() => onMove(to)}>
      <label>
        To another fleet of yours, with its runs
        <select
          className="field"
          required
          value={to}
          onChange={({ target }) => setTo(target.value)}
        >
          <option value="">{others.length === 0 ? "You have no other" : "Choose"}</option>
          {others.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </select>
      </label>
      <Buttons label="Move" acting={acting} onCancel={onCancel} />
    </Form>
  );
}

function Buttons({ label, acting, onCancel }: FormProps & { label: string }) {
  return (
    <>
      <Button submit disabled={acting.isPending}>
        {label}
      </Button>
      <Button asText onClick={onCancel}>
        Cancel
      </Button>
      <Failed error={acting.error} />
    </>
  );
}
