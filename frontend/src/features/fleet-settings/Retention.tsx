import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import {
  endRetention,
  previewRetention,
  type RetentionPolicy,
  retentionQuery,
  type Sweep,
  setRetention,
  undoSweep,
} from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { counted, day } from "../../ui/format";
import { Confirmed } from "../../ui/Confirmed";
import styles from "../../ui/Manage.module.css";
import { effectInWords, policyInWords } from "./words";

const DEFAULT_POLICY: RetentionPolicy = { days: 365, keep: "nothing", keep_linked: true };

/** How long runs are kept: previewed before it takes effect, and reversible for a week. */
export function Retention({ fleet }: { fleet: string }) {
  const query = retentionQuery(fleet);
  const retention = useQuery(query);
  const ending = useChange(() => endRetention(fleet), query.queryKey);
  const policy = retention.data?.policy;
  return (
    <Section id="retention" title="How long runs are kept" error={retention.error}>
      {policy || retention.error ? (
        <div className={styles.row}>
          <div>{policy ? policyInWords(policy) : null}</div>
          <div className={styles.actions}>
            <Confirmed
              label="Keep all from now on"
              confirm="End this policy"
              isBusy={ending.isPending}
              onConfirm={() => ending.mutate()}
            />
          </div>
        </div>
      ) : (
        <p>All runs are kept.</p>
      )}
      <Failed error={ending.error} />
      {retention.data ? (
        <>
          <Sweeps fleet={fleet} sweeps={retention.data.sweeps} />
          <PolicyForm
            key={JSON.stringify(policy)}
            fleet={fleet}
            policy={policy ?? DEFAULT_POLICY}
          />
        </>
      ) : null}
    </Section>
  );
}

function Sweeps({ fleet, sweeps }: { fleet: string; sweeps: Sweep[] }) {
  const undoing = useChange((id: string) => undoSweep(fleet, id));
  if (sweeps.length === 0) return null;
  return (
    <>
      <ul>
        {sweeps.map((sweep) => (
          <li key={sweep.id} className={styles.row}>
            <div>
              {counted(sweep.runs, "run")} on {day(sweep.at)}
              <span className={styles.under}>{stateText(sweep)}</span>
            </div>
            {sweep.state === "undoable" ? (
              <div className={styles.actions}>
                <Confirmed
                  label="Undo"
                  confirm="Bring them back and keep all"
                  about={`the deletion of ${counted(sweep.runs, "run")}`}
                  isBusy={undoing.isPending}
                  onConfirm={() => undoing.mutate(sweep.id)}
                />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      <Failed error={undoing.error} />
    </>
  );
}

function stateText({ keep, state, ends_at }: Sweep): string {
  const what = keep === "medians" ? "samples and traces" : "runs";
  if (state === "undone") return "brought back";
  if (state === "done") return `${what} deleted`;
  return `${what} will be deleted for good on ${day(ends_at)}`;
}

/** Two steps: preview the effect, then apply it. */
function PolicyForm({ fleet, policy }: { fleet: string; policy: RetentionPolicy }) {
  const queries = useQueryClient();
  const [days, setDays] = useState(String(policy.days));
  const [keep, setKeep] = useState(policy.keep);
  const [keepLinked, setKeepLinked] = useState(policy.keep_linked);
  const newPolicy: RetentionPolicy = { days: Number(days), keep, keep_linked: keepLinked };
  const previewing = useMutation({ mutationFn: () => previewRetention(fleet, newPolicy) });
  const setting = useMutation({
    mutationFn: (runs: number) => setRetention(fleet, { ...newPolicy, runs }),
    onSuccess: () => queries.invalidateQueries(),
    onError: () => previewing.reset(),
  });
  const change = (apply: () => void) => {
    apply();
    previewing.reset();
    setting.reset();
  };
  const submit = () => {
    setting.reset();
    previewing.mutate();
  };
  return (
    <Form className={styles.section} onSubmit={submit}>
      <div className={styles.inline}>
        <Field
          label="Runs older than, in days"
          type="number"
          required
          min={1}
          max={36_500}
          value={days}
          onValue={(next) => change(() => setDays(next))}
        />
        <label>
          Delete
          <select
            className="field"
            value={keep}
            onChange={(event) =>
              change(() => setKeep(event.target.value === "medians" ? "medians" : "nothing"))
            }
          >
            <option value="nothing">The runs</option>
            <option value="medians">Samples and traces; medians stay</option>
          </select>
        </label>
        <Button submit disabled={previewing.isPending}>
          Show what goes
        </Button>
      </div>
      {keep === "nothing" ? (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={keepLinked}
            onChange={(event) => change(() => setKeepLinked(event.target.checked))}
          />
          Keep runs that a share link uses
          <span className={styles.under}>Without them such links lose their figures.</span>
        </label>
      ) : null}
      <Failed error={previewing.error ?? setting.error} />
      {previewing.data ? (
        <div className={styles.warning} role="status">
          <p>{effectInWords(previewing.data, newPolicy)}</p>
          <p className={styles.actions}>
            <Button
              primary
              disabled={setting.isPending}
              onClick={() => setting.mutate(previewing.data.runs)}
            >
              {previewing.data.runs
                ? `Delete ${counted(previewing.data.runs, "run")}`
                : "Set this policy"}
            </Button>
            <Button asText onClick={() => previewing.reset()}>
              Cancel
            </Button>
          </p>
        </div>
      ) : null}
    </Form>
  );
}
