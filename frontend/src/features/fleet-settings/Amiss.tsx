import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import { type Dashboard, dashboardQuery } from "../../api/fleets";
import { setPolicy } from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import styles from "../../ui/Manage.module.css";
import { Section } from "../../ui/Section";

/** The problems that the dashboard counts for a Mac. */
export function Amiss({ fleet }: { fleet: string }) {
  const dashboard = useQuery(dashboardQuery(fleet));
  return (
    <Section id="amiss" title="What counts as a problem" error={dashboard.error}>
      {dashboard.data ? <Policy fleet={fleet} health={dashboard.data.health} /> : null}
    </Section>
  );
}

function Policy({ fleet, health }: { fleet: string; health: Dashboard["health"] }) {
  const [days, setDays] = useState(String(health.silent_days));
  const [agent, setAgent] = useState(health.least_agent ?? "");
  const [fileVault, setFileVault] = useState(health.filevault_required);
  const saving = useChange(
    () =>
      setPolicy(fleet, {
        silent_days: Number(days),
        filevault_required: fileVault,
        least_agent: agent === "" ? null : agent,
      }),
    ["fleet"],
  );
  const changed =
    days !== String(health.silent_days) ||
    agent !== (health.least_agent ?? "") ||
    fileVault !== health.filevault_required;

  return (
    <Form className={styles.section} onSubmit={() => saving.mutate()}>
      <div className={styles.inline}>
        <Field
          label="Days without an upload"
          type="number"
          required
          min={1}
          max={365}
          value={days}
          onValue={setDays}
        />
        <Field
          label="Agent older than"
          pattern="\d+(\.\d+)*"
          title="A version, such as 1.4"
          placeholder={health.newest_agent}
          value={agent}
          onValue={setAgent}
        />
        <Button submit disabled={!changed || saving.isPending}>
          Save
        </Button>
      </div>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={fileVault}
          onChange={(event) => setFileVault(event.target.checked)}
        />
        FileVault off
        <span className={styles.under}>
          Macs whose internal storage has no FileVault are listed.
        </span>
      </label>
      {saving.isSuccess && !changed ? <p role="status">Saved.</p> : null}
      <Failed error={saving.error} />
    </Form>
  );
}
