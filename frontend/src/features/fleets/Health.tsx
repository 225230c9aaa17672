import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { clonesQuery, mergesQuery } from "../../api/fleetSettings";
import type { Amiss, Dashboard } from "../../api/fleets";
import type { SearchLists } from "../../links/search";
import { count, counted, day } from "../../ui/format";
import section from "../../ui/Section.module.css";
import styles from "./Fleet.module.css";

interface Props {
  dashboard: Dashboard;
  search: SearchLists;
}

/** Number of Macs with each problem, linked to those Macs. */
export function Health({ dashboard, search }: Props) {
  const { fleet, health } = dashboard;
  const only = (amiss: Amiss, number: number) =>
    number === 0 ? (
      "0"
    ) : (
      <Link
        to="/fleets/$name"
        params={{ name: fleet.name }}
        search={{ ...search, only: [amiss] }}
        hash="machines"
      >
        {count(number)}
      </Link>
    );
  return (
    <section className={section.section}>
      <h2>Health</h2>
      <dl className={styles.health}>
        <Fact name="Silent" under={`no upload for ${health.silent_days} days`}>
          {only("silent", health.silent)}
        </Fact>
        {health.never_uploaded > 0 ? (
          <Fact name="Never uploaded" under="enrolled, and without a run">
            {only("never_uploaded", health.never_uploaded)}
          </Fact>
        ) : null}
        <Fact name="Agent out of date" under={agentWanted(health)}>
          {only("old_agent", health.old_agent)}
        </Fact>
        {health.filevault_required ? (
          <Fact name="FileVault off" under="required in this fleet">
            {only("no_filevault", health.no_filevault)}
          </Fact>
        ) : null}
        {dashboard.where ? null : (
          <Fact name="Runs refused" under="by the server">
            {count(health.refusals.reduce((sum, { runs }) => sum + runs, 0))}
          </Fact>
        )}
        {fleet.role === "admin" && !dashboard.where ? <Duplicates fleet={fleet.name} /> : null}
      </dl>
      {health.old_agent > 0 ? (
        <p>
          Agents:{" "}
          {health.agents
            .map(
              ({ version, machines }) => `${version ?? "unknown"} on ${counted(machines, "Mac")}`,
            )
            .join(", ")}
          . To update one, run <code>macmeter update</code> on the Mac: it replaces the agent, or
          says who has to.
        </p>
      ) : null}
      {health.refusals.length > 0 ? (
        <ul className={styles.lines}>
          {health.refusals.map(({ code, title, runs, devices, last_at }) => (
            <li key={code}>
              {title}: {counted(runs, "run")} of {counted(devices, "Mac")}, last on {day(last_at)}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Ids that await an admin; hidden if there are none. */
function Duplicates({ fleet }: { fleet: string }) {
  const clones = useQuery(clonesQuery(fleet));
  const merges = useQuery(mergesQuery(fleet));
  const shared = clones.data?.items.filter(({ new_ids }) => !new_ids).length ?? 0;
  const waiting = shared + (merges.data?.likely.length ?? 0);
  if (waiting === 0) return null;
  return (
    <Fact name="Duplicate Macs" under="to merge or tell apart">
      <Link to="/fleets/$name/duplicates" params={{ name: fleet }}>
        {count(waiting)}
      </Link>
    </Fact>
  );
}

function agentWanted({ least_agent, newest_agent }: Dashboard["health"]): string {
  return `older than ${least_agent ?? newest_agent}`;
}

interface FactProps {
  name: string;
  under: string;
  children: ReactNode;
}

function Fact({ name, under, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        <small>{under}</small>
      </dd>
    </div>
  );
}
