import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { HardwareDetail, MachineDetail } from "../../api/types";
import { onEverything } from "../../figures/sides/sideWords";
import { type Clause, printClause } from "../../links/clause";
import { inFleet } from "../../links/fleet";
import { sidesSearch } from "../../links/sides";
import { Facts } from "../../ui/Facts";
import { counted, days, shortId } from "../../ui/format";
import record from "../../ui/Record.module.css";
import section from "../../ui/Section.module.css";
import styles from "./Machines.module.css";

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

export interface ScopedProps {
  machine: MachineDetail;
  /** The fleet that the page is about, if it is about one. */
  fleet: string | undefined;
}

/** What the Mac is, in one line, with its model's page. */
export function About({ machine, related, fleet }: ScopedProps & Pick<HardwareDetail, "related">) {
  const [model] = related;
  const facts = [machine.chip, machine.words.system, runsText(machine)].filter(Boolean).join(" · ");
  const name = machine.model_name ?? "";
  return (
    <p className={record.kind}>
      {model ? (
        <>
          {machine.fleet && machine.model_name ? (
            // A model's page is of public runs.
            <Link
              to="/machines"
              search={inFleet({ where: [printClause(is("model", name))] }, fleet ?? "")}
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <Link to="/models/$slug" params={{ slug: model.slug }}>
              <bdi>{name || model.name}</bdi>
            </Link>
          )}{" "}
          ·{" "}
        </>
      ) : null}
      <bdi>{facts}</bdi>
    </p>
  );
}

/** Facts about the machine, below its results. */
export function Known({ machine }: { machine: MachineDetail }) {
  return (
    <details className={styles.behind}>
      <summary>
        <span className="act">Facts about this Mac</span>
      </summary>
      <div className={section.section}>
        {machine.os_versions.length > 1 ? (
          <ul className={styles.versions}>
            {machine.os_versions.map(({ os_version, first_at, last_at, runs }) => (
              <li key={os_version}>
                <strong>
                  <bdi>{os_version}</bdi>
                </strong>{" "}
                {days(first_at, last_at)}, {counted(runs, "run")}
              </li>
            ))}
          </ul>
        ) : null}
        <div className={record.facts}>
          {machine.words.facts.map(({ title, facts }) => (
            <Facts
              key={title}
              title={title === "Environment" ? "Latest environment" : title}
              facts={facts}
            />
          ))}
        </div>
      </div>
    </details>
  );
}

/** Articles don't date their runs, so published figures have no time. */
function runsText({ runs, sources, first_at, last_at }: MachineDetail): string {
  if (sources.every((source) => source === "published")) {
    return `${counted(runs, "figure")} from articles`;
  }
  return `${counted(runs, "run")}, ${days(first_at, last_at)}`;
}

/** Link to a comparison that starts with this Mac. */
export function Comparing({ machine, fleet }: ScopedProps) {
  // Not its name: a saved comparison has other readers than its fleet.
  const label = (machine.model_name ?? `Mac ${shortId(machine.id)}`).slice(0, 80);
  const itself = { where: [is("machine", machine.id)], label };
  const like = machine.chip ? [is("chip", machine.chip)] : [];
  const scope = fleet ? [is("fleet", fleet)] : [];
  const compared = { ...onEverything([itself, { where: like }]), where: scope, baseline: 2 };
  return (
    <Link to="/compare" search={sidesSearch(compared)}>
      {machine.chip ? "Compare with its chip" : "Compare"}
    </Link>
  );
}

/** Links to the machine's runs, host and VMs. */
export function Ways({ machine, fleet, children }: ScopedProps & { children: ReactNode }) {
  const scope = fleet ? [is("fleet", fleet)] : [];
  const ownSearch = { where: [...scope, is("machine", machine.id)].map(printClause) };
  return (
    <nav aria-label="More about this Mac" className={styles.ways}>
      <Link to="/runs" search={ownSearch}>
        {counted(machine.runs, "run")}
      </Link>
      <Link to="/storage" search={ownSearch}>
        Storage results
      </Link>
      {children}
      {machine.host_machine_id ? (
        <Link
          to="/machines/$id"
          params={{ id: machine.host_machine_id }}
          search={inFleet({}, fleet)}
        >
          Its host
        </Link>
      ) : null}
      {machine.guests.map((guest) => (
        <Link key={guest} to="/machines/$id" params={{ id: guest }} search={inFleet({}, fleet)}>
          VM {guest.slice(0, 8)}
        </Link>
      ))}
    </nav>
  );
}
