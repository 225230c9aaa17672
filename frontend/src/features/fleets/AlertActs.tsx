import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { type ReactNode, useState } from "react";
import { peopleQuery } from "../../api/fleetSettings";
import {
  acknowledge,
  assign,
  comment,
  type FleetAlert,
  mute,
  reopen,
  unmute,
} from "../../api/fleets";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";
import { counted } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import styles from "./Fleet.module.css";

const MUTES = [1, 7, 30, 90];

/** What an admin can do with an alert: acknowledge, assign, mute, comment. */
export function AlertActs({ alert, fleet }: { alert: FleetAlert; fleet: string }) {
  const act = useChange((send: () => Promise<unknown>) => send(), ["fleet", fleet]);
  const isTaken = alert.acknowledged_at !== null;
  return (
    <>
      <div className={styles.acts}>
        <Button
          disabled={act.isPending}
          onClick={() => act.mutate(() => (isTaken ? reopen(alert.id) : acknowledge(alert.id)))}
        >
          {isTaken ? "Reopen" : "Acknowledge"}
        </Button>
        <Owner
          alert={alert}
          fleet={fleet}
          isBusy={act.isPending}
          onChoose={(id) => act.mutate(() => assign(alert.id, id))}
        />
        {alert.mute ? (
          <Button disabled={act.isPending} onClick={() => act.mutate(() => unmute(alert.id))}>
            Unmute
          </Button>
        ) : (
          <Written
            summary="Mute"
            field="Reason for muting"
            button="Mute"
            isBusy={act.isPending}
            onSend={(why, data) =>
              act.mutateAsync(() => mute(alert.id, Number(data.get("days")), why))
            }
          >
            <p className={section.note}>
              Nothing is sent about it meanwhile. If it still holds then, it is sent again.
            </p>
            <label className={section.choose}>
              For
              <select className="field" name="days" defaultValue={7}>
                {MUTES.map((days) => (
                  <option key={days} value={days}>
                    {counted(days, "day")}
                  </option>
                ))}
              </select>
            </label>
          </Written>
        )}
        <Written
          summary="Comment"
          field="Comment"
          button="Send"
          isBusy={act.isPending}
          onSend={(text) => act.mutateAsync(() => comment(alert.id, text))}
        />
      </div>
      {act.error ? <ProblemNotice error={act.error} /> : null}
    </>
  );
}

interface OwnerProps {
  alert: FleetAlert;
  fleet: string;
  isBusy: boolean;
  onChoose: (id: string | null) => void;
}

/** Members are fetched once somebody wants to choose one. */
function Owner({ alert: { owner }, fleet, isBusy, onChoose }: OwnerProps) {
  const [isWanted, setWanted] = useState(false);
  const people = useQuery({ ...peopleQuery(fleet), enabled: isWanted });
  const assignees = people.data?.items ?? (owner ? [owner] : []);
  return (
    <label className={section.choose}>
      Owner
      <select
        className="field"
        value={owner?.id ?? ""}
        disabled={isBusy}
        onFocus={() => setWanted(true)}
        onPointerDown={() => setWanted(true)}
        onChange={({ target }) => onChoose(target.value || null)}
      >
        <option value="">Nobody</option>
        {assignees.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface WrittenProps {
  summary: string;
  /** Name of the text for screen readers. */
  field: string;
  button: string;
  isBusy: boolean;
  onSend: (text: string, data: FormData) => Promise<unknown>;
  children?: ReactNode;
}

/** A folded form that sends a text. */
function Written({ summary, field, button, isBusy, onSend, children }: WrittenProps) {
  return (
    <details>
      <summary>{summary}</summary>
      <Form
        className={styles.comment}
        onSubmit={(form) => {
          const data = new FormData(form);
          const text = data.get("text");
          if (typeof text !== "string" || !text.trim()) return;
          void onSend(text, data).then(
            () => form.reset(),
            () => undefined,
          );
        }}
      >
        {children}
        <textarea
          className="field"
          name="text"
          rows={children ? 1 : 3}
          maxLength={children ? 500 : 2000}
          aria-label={field}
          placeholder={children ? "Why" : undefined}
          required
        />
        <Button submit disabled={isBusy}>
          {button}
        </Button>
      </Form>
    </details>
  );
}
