import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { type FormEvent, useState } from "react";
import { type Dashboard, dashboardQuery } from "../../api/fleets";
import { setPolicy } from "../../api/fleetSettings";
import { Failed } from "../../ui/Failed";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./settings.module.css";

/** The problems that the dashboard counts for a Mac. */
export function Amiss({ fleet }: { fleet: string }) {
  const dashboard = useQuery(dashboardQuery(fleet));
  return (
    <section className={styles.section} aria-labelledby="amiss">
      <h2 id="amiss">What counts as a problem</h2>
      {dashboard.error ? <ProblemNotice error={dashboard.error} /> : null}
      {dashboard.data ? <Policy fleet={fleet} health={dashboard.data.health} /> : null}
    </section>
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={styles.section} onSubmit={submit}>
      <div className={styles.inline}>
        <label>
          Days without an upload
          <input
            className={`field ${styles.number}`}
            type="number"
            required
            min={1}
            max={365}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </label>
        <label>
          Agent older than
          <input
            className={`field ${styles.number}`}
            pattern="\d+(\.\d+)*"
            title="A version, such as 1.4"
            placeholder={health.newest_agent}
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={!changed || saving.isPending}>
          Save
        </button>
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
    </form>
  );
}
