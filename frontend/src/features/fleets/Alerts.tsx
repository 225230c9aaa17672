import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { alertsQuery, type Dashboard, type FleetAlert } from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import { counted, day, shortId } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { AlertActs } from "./AlertActs";
import styles from "./Fleet.module.css";
import { Outlets } from "./Outlets";

interface Props {
  fleet: Dashboard["fleet"];
  /** Filter of the group that these are of; empty for the whole fleet. */
  where: string;
  asOf: Dashboard["as_of"];
  /** Changes of so many days are looked at. */
  days: number;
}

/** Alerts that need attention, one per cause. */
export function Alerts({ fleet, where, asOf, days }: Props) {
  const alerts = useQuery({
    ...alertsQuery(fleet.name, where, asOf),
    placeholderData: keepPreviousData,
  });
  const items = alerts.data?.items ?? [];
  const isLoaded = alerts.data !== undefined;
  useEffect(() => {
    // A mail leads to its alert, which wasn't there when the page opened.
    if (isLoaded && location.hash)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  return (
    <section className={section.section}>
      <h2>Alerts</h2>
      <p className={section.note}>
        Changes of the last {days} days. An alert stays open for as long as its cause lasts.
      </p>
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
      {fleet.role && !fleet.limited ? <Outlets fleet={fleet} where={where} /> : null}
    </section>
  );
}

function Alert({ alert, fleet }: { alert: FleetAlert; fleet: Dashboard["fleet"] }) {
  const macs = alert.detail.machine_ids ?? [];
  return (
    <li
      id={`alert-${alert.id}`}
      className={`${styles.alert} ${alert.state === "open" ? styles.open : ""}`}
    >
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
      {alert.owner ? (
        <p className={styles.when}>
          Owner: <bdi>{alert.owner.name}</bdi>
        </p>
      ) : null}
      {alert.mute ? (
        <p className={styles.when}>
          Muted until {day(alert.mute.until)} by <bdi>{alert.mute.by}</bdi>:{" "}
          <bdi>{alert.mute.why}</bdi>
        </p>
      ) : null}
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
        <AlertActs alert={alert} fleet={fleet.name} />
      ) : null}
    </li>
  );
}

function states({ state, opened_at, closed_at, acknowledged_at, acknowledged_by }: FleetAlert) {
  const since = `Since ${day(opened_at)}`;
  if (state === "passed" && closed_at) return `${since}, passed on ${day(closed_at)}`;
  if (closed_at) return `${since}, ended on ${day(closed_at)}`;
  if (state !== "open" && acknowledged_at) {
    return `${since}, acknowledged by ${acknowledged_by ?? "somebody"} on ${day(acknowledged_at)}`;
  }
  return since;
}
