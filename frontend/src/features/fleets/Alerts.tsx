import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  acknowledge,
  alertsQuery,
  comment,
  type Dashboard,
  type FleetAlert,
  reopen,
} from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import { counted, day, shortId } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import styles from "./Fleet.module.css";
import { Outlets } from "./Outlets";

/** Alerts that need attention, one per cause. */
export function Alerts({ fleet, asOf }: { fleet: Dashboard["fleet"]; asOf: Dashboard["as_of"] }) {
  const alerts = useQuery({
    ...alertsQuery(fleet.name, asOf),
    placeholderData: keepPreviousData,
  });
  const items = alerts.data?.items ?? [];
  return (
    <section className={section.section}>
      <h2>Alerts</h2>
      {alerts.error ? (
        <ProblemNotice error={alerts.error} onRetry={() => void alerts.refetch()} />
      ) : !alerts.data ? (
        <Skeleton height="6rem" lines={3} />
      ) : items.length === 0 ? (
        <p className={section.note}>No open alerts.</p>
      ) : (
        <ul className={styles.alerts}>
          {items.map((alert) => (
            <Alert key={alert.id} alert={alert} fleet={fleet} />
          ))}
        </ul>
      )}
      {fleet.role ? <Outlets fleet={fleet} /> : null}
    </section>
  );
}

function Alert({ alert, fleet }: { alert: FleetAlert; fleet: Dashboard["fleet"] }) {
  const macs = alert.detail.machine_ids ?? [];
  return (
    <li className={`${styles.alert} ${alert.state === "open" ? styles.open : ""}`}>
      <h3>
        <bdi>{alert.title}</bdi>
      </h3>
      {alert.lines.length > 0 ? (
        <ul className={styles.lines}>
          {alert.lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      <p className={styles.when}>{states(alert)}</p>
      {macs.length > 0 ? (
        <details>
          <summary>{counted(macs.length, "Mac")}</summary>
          <ul className={styles.macs}>
            {macs.map((id) => (
              <li key={id}>
                <Link to="/machines/$id" params={{ id }} search={inFleet({}, fleet.name)}>
                  <bdi>{alert.detail.names?.[id] ?? shortId(id)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {alert.comments.length > 0 ? (
        <ul className={styles.lines}>
          {alert.comments.map(({ at, by, text }) => (
            <li key={`${at} ${text}`}>
              <bdi>{text}</bdi>{" "}
              <span className={styles.when}>
                <bdi>{by}</bdi>, {day(at)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {fleet.role === "admin" && !alert.closed_at ? (
        <Acts alert={alert} fleet={fleet.name} />
      ) : null}
    </li>
  );
}

function states({ state, opened_at, closed_at, acknowledged_at, acknowledged_by }: FleetAlert) {
  const since = `Since ${day(opened_at)}`;
  if (state === "passed" && closed_at) return `${since}, passed on ${day(closed_at)}`;
  if (closed_at) return `${since}, ended on ${day(closed_at)}`;
  if (state === "acknowledged" && acknowledged_at) {
    return `${since}, acknowledged by ${acknowledged_by ?? "somebody"} on ${day(acknowledged_at)}`;
  }
  return since;
}

function Acts({ alert, fleet }: { alert: FleetAlert; fleet: string }) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["fleet", fleet] }),
  });
  const open = alert.state === "open";
  return (
    <>
      <div className={styles.acts}>
        <button
          type="button"
          className="button"
          disabled={act.isPending}
          onClick={() => act.mutate(() => (open ? acknowledge(alert.id) : reopen(alert.id)))}
        >
          {open ? "Acknowledge" : "Reopen"}
        </button>
        <details>
          <summary>Comment</summary>
          <form
            className={styles.comment}
            onSubmit={(event) => {
              event.preventDefault();
              const form = event.currentTarget;
              const text = new FormData(form).get("text");
              if (typeof text !== "string" || !text.trim()) return;
              act.mutate(async () => {
                await comment(alert.id, text);
                form.reset();
              });
            }}
          >
            <textarea
              className="field"
              name="text"
              rows={3}
              maxLength={2000}
              aria-label="Comment"
            />
            <button type="submit" className="button" disabled={act.isPending}>
              Send
            </button>
          </form>
        </details>
      </div>
      {act.error ? <ProblemNotice error={act.error} /> : null}
    </>
  );
}
