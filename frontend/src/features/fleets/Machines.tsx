import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Dashboard, FleetMachine } from "../../api/fleets";
import { fleetMachinesQuery } from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import type { SearchLists } from "../../links/search";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";
import { count, counted, day } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";
import { SortHead } from "../../ui/sorting";
import { ProblemNotice } from "../../ui/ProblemNotice";
import paging from "../../ui/Paging.module.css";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { AMISS, COLUMNS, machinesAsked, ONLY, PAGE, sorted } from "./asked";
import styles from "./Fleet.module.css";
import { Selected } from "./Selected";

interface Props {
  fleet: Dashboard["fleet"];
  asOf: Dashboard["as_of"];
  labels: Dashboard["labels"];
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** All Macs of a fleet, described by their newest runs. */
export function Machines({ fleet, asOf, labels, search, onSearch }: Props) {
  const asked = machinesAsked(search);
  const machines = useQuery({
    ...fleetMachinesQuery(fleet.name, asked, asOf),
    placeholderData: keepPreviousData,
  });
  const from = asked.offset ?? 0;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE);
  return (
    <section className={section.section} id="machines">
      <h2>Macs</h2>
      <search>
        <Form
          className={styles.tools}
          onSubmit={(form) => {
            const text = new FormData(form).get("q");
            const q = typeof text === "string" ? text.trim() : "";
            onSearch(onPage({ ...search, q: q ? [q] : [] }));
          }}
        >
          <input
            key={asked.q}
            className="field"
            type="search"
            name="q"
            defaultValue={asked.q}
            maxLength={200}
            aria-label="Name, model, chip, macOS or label"
            placeholder="Name, model, chip, macOS or label"
          />
          <Button submit>Search</Button>
          <select
            className="field"
            aria-label="Which Macs"
            value={asked.only ?? ""}
            onChange={({ target }) => {
              setChosen(NONE);
              onSearch(onPage({ ...search, only: target.value ? [target.value] : [] }));
            }}
          >
            <option value="">All</option>
            {Object.entries(ONLY).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </Form>
      </search>
      {fleet.role === "admin" ? (
        <Selected
          fleet={fleet.name}
          chosen={chosen}
          areRetired={asked.only === "retired"}
          labels={labels}
          onDone={() => setChosen(NONE)}
        />
      ) : null}
      {machines.error ? (
        <ProblemNotice error={machines.error} onRetry={() => void machines.refetch()} />
      ) : !machines.data ? (
        <Skeleton height="30rem" lines={14} />
      ) : machines.data.total === 0 ? (
        <p className={section.note}>
          No Mac matches. Remove a filter or search for something else.
        </p>
      ) : (
        <div aria-busy={machines.isFetching}>
          <p className={paging.total}>
            {counted(machines.data.total, "Mac")}
            {machines.data.total > PAGE
              ? `, ${count(from + 1)} to ${count(from + machines.data.items.length)}`
              : ""}
          </p>
          <Table
            fleet={fleet.name}
            machines={machines.data.items}
            search={search}
            onSearch={onSearch}
            chosen={fleet.role === "admin" ? chosen : undefined}
            onChosen={setChosen}
          />
          <nav className={paging.paging} aria-label="Pages of Macs">
            {from > 0 ? (
              <Link
                to="/fleets/$name"
                params={{ name: fleet.name }}
                search={onPage(search, Math.max(0, from - PAGE))}
                hash="machines"
              >
                Previous
              </Link>
            ) : null}
            {from + PAGE < machines.data.total ? (
              <Link
                to="/fleets/$name"
                params={{ name: fleet.name }}
                search={onPage(search, from + PAGE)}
                hash="machines"
              >
                More Macs
              </Link>
            ) : null}
          </nav>
        </div>
      )}
    </section>
  );
}

/** The search for a page of the list; page 1 if the list changed. */
function onPage(search: SearchLists, from = 0): SearchLists {
  const next = { ...search, from: from > 0 ? [String(from)] : [] };
  return Object.fromEntries(Object.entries(next).filter(([, values]) => values.length > 0));
}

interface TableProps {
  fleet: string;
  machines: FleetMachine[];
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
  /** Ids of chosen Macs; undefined for somebody who can't change them. */
  chosen: ReadonlySet<string> | undefined;
  onChosen: (chosen: ReadonlySet<string>) => void;
}

const NONE: ReadonlySet<string> = new Set();

function Table({ fleet, machines, search, onSearch, chosen, onChosen }: TableProps) {
  const { sort = "", descending = false } = machinesAsked(search);
  const order = {
    sort: { id: sort, desc: descending },
    press: (id: string) => onSearch(sorted(search, id)),
  };
  const choose = (ids: string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    onChosen(next);
  };
  return (
    <DataTable name="Macs of this fleet">
      <thead>
        <tr>
          {chosen ? (
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Choose all on this page"
                checked={machines.every(({ id }) => chosen.has(id))}
                onChange={({ target }) =>
                  choose(
                    machines.map(({ id }) => id),
                    target.checked,
                  )
                }
              />
            </th>
          ) : null}
          {COLUMNS.map((column) => (
            <SortHead
              key={column.sort}
              id={column.sort}
              sorted={order}
              className={column.sort === "runs" ? "number" : undefined}
              title={column.title}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {machines.map((machine) => (
          <tr key={machine.id}>
            {chosen ? (
              <td>
                <input
                  type="checkbox"
                  aria-label={`Choose ${machine.words.title}`}
                  checked={chosen.has(machine.id)}
                  onChange={({ target }) => choose([machine.id], target.checked)}
                />
              </td>
            ) : null}
            <th scope="row">
              {machine.run_id ? (
                <Link to="/machines/$id" params={{ id: machine.id }} search={inFleet({}, fleet)}>
                  <bdi>{machine.words.title}</bdi>
                </Link>
              ) : (
                <bdi>{machine.words.title}</bdi>
              )}
              <span className="under">
                {[
                  machine.name === null ? "" : (machine.model_name ?? ""),
                  isNamed(machine) ? machine.id.slice(0, 8) : "",
                  machine.virtual ? "virtual machine" : "",
                ]
                  .filter(Boolean)
                  .join(", ")}
              </span>
              <span className="under">
                <bdi>{labelsOf(machine)}</bdi>
              </span>
            </th>
            <td className={styles.day}>
              {machine.last_received_at ? day(machine.last_received_at) : "–"}
              <span className="under">{standing(machine)}</span>
            </td>
            <td>
              <bdi>{machine.words.system || "–"}</bdi>
            </td>
            <td>
              <bdi>{machine.chip ?? "–"}</bdi>
            </td>
            <td>{machine.words.storages || "–"}</td>
            <td>{machine.words.encryption || "–"}</td>
            <td>
              <bdi>{machine.agent_version ?? "–"}</bdi>
            </td>
            <td className="number">
              {machine.runs > 0 ? (
                <Link to="/runs" search={{ where: [`fleet:${fleet}`, `machine:${machine.id}`] }}>
                  {count(machine.runs)}
                </Link>
              ) : (
                "0"
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** What is amiss with it, since when it is enrolled if it never uploaded, and who retired it. */
function standing({ amiss, enrolled_at, retired_at, retired_by, barred }: FleetMachine): string {
  const reasons = amiss.map((reason) =>
    reason === "never_uploaded" ? `Never uploaded, enrolled ${day(enrolled_at)}` : AMISS[reason],
  );
  if (retired_at)
    reasons.unshift(`Retired ${day(retired_at)}${retired_by ? ` by ${retired_by}` : ""}`);
  return [...reasons, ...(barred ? ["Revoked"] : [])].join(", ");
}

/** Its labels in words: "rack: B, site: north". */
const labelsOf = ({ labels }: FleetMachine) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ");

/** Whether it has a name or a model; otherwise its id is already shown as its name. */
const isNamed = ({ name, model_name }: FleetMachine) => name !== null || model_name !== null;
