import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Dashboard, FleetMachine } from "../../api/fleets";
import { fleetMachinesQuery } from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import type { SearchLists } from "../../links/search";
import { count, counted, day } from "../../ui/format";
import { DataTable } from "../../ui/DataTable";
import { ProblemNotice } from "../../ui/ProblemNotice";
import paging from "../../ui/Paging.module.css";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { AMISS, COLUMNS, type Column, machinesAsked, PAGE, sorted } from "./asked";
import styles from "./Fleet.module.css";

interface Props {
  fleet: Dashboard["fleet"];
  asOf: Dashboard["as_of"];
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** All Macs of a fleet, described by their newest runs. */
export function Machines({ fleet, asOf, search, onSearch }: Props) {
  const asked = machinesAsked(search);
  const machines = useQuery({
    ...fleetMachinesQuery(fleet.name, asked, asOf),
    placeholderData: keepPreviousData,
  });
  const from = asked.offset ?? 0;
  return (
    <section className={section.section} id="machines">
      <h2>Macs</h2>
      <search>
        <form
          className={styles.tools}
          onSubmit={(event) => {
            event.preventDefault();
            const text = new FormData(event.currentTarget).get("q");
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
            aria-label="Name, model, chip or macOS"
            placeholder="Name, model, chip or macOS"
          />
          <button type="submit" className="button">
            Search
          </button>
          <select
            className="field"
            aria-label="Which Macs"
            value={asked.only ?? ""}
            onChange={({ target }) =>
              onSearch(onPage({ ...search, only: target.value ? [target.value] : [] }))
            }
          >
            <option value="">All</option>
            {Object.entries(AMISS).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </form>
      </search>
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
}

function Table({ fleet, machines, search, onSearch }: TableProps) {
  return (
    <DataTable name="Macs of this fleet">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <Heading key={column.sort} column={column} search={search} onSearch={onSearch} />
          ))}
        </tr>
      </thead>
      <tbody>
        {machines.map((machine) => (
          <tr key={machine.id}>
            <th scope="row">
              <Link to="/machines/$id" params={{ id: machine.id }} search={inFleet({}, fleet)}>
                <bdi>{machine.words.title}</bdi>
              </Link>
              <span className="under">
                {[
                  known(machine) ? machine.id.slice(0, 8) : "",
                  machine.virtual ? "virtual machine" : "",
                ]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </th>
            <td className={styles.day}>
              {day(machine.last_received_at)}
              <span className="under">{machine.amiss.map((amiss) => AMISS[amiss]).join(", ")}</span>
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
              <Link to="/runs" search={{ where: [`fleet:${fleet}`, `machine:${machine.id}`] }}>
                {count(machine.runs)}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Whether it has a name or a model; otherwise its id is already shown as its name. */
const known = ({ name, model_name }: FleetMachine) => name !== null || model_name !== null;

interface HeadingProps {
  column: Column;
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

function Heading({ column, search, onSearch }: HeadingProps) {
  const { sort, descending } = machinesAsked(search);
  const isIt = sort === column.sort;
  return (
    <th
      scope="col"
      className={column.sort === "runs" ? "number" : undefined}
      aria-sort={isIt ? (descending ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSearch(sorted(search, column.sort))}
      >
        {column.title}
        {isIt ? (descending ? " ↓" : " ↑") : ""}
      </button>
    </th>
  );
}
