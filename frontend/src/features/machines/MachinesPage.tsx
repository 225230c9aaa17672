import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, memo, useDeferredValue } from "react";
import { machinesQuery } from "../../api/machines";
import { catalogQuery, facetsQuery } from "../../api/queries";
import type { MachineSummary } from "../../api/types";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";
import { count, counted, day } from "../../ui/format";
import { printClause } from "../../links/clause";
import { type Question, toSearch } from "../../links/question";
import { fleetOf, inFleet } from "../../links/fleet";
import type { SearchLists } from "../../links/search";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { FilteredPage } from "../../questions/FilteredPage";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import runs from "../../ui/Paging.module.css";
import { DataTable } from "../../ui/DataTable";
import { useOrder, SortHead, type SortedBy, useSorted } from "../../ui/sorting";
import styles from "./Machines.module.css";

interface Props {
  /** Only its filters are used here. */
  question: Question;
  search: string;
  cursor: string | undefined;
  onAsk: (search: SearchLists) => void;
}

/** Machines with runs, found by search and by filters on their runs. */
export function MachinesPage({ question, search, cursor, onAsk }: Props) {
  const where = question.where.map(printClause);
  const catalog = useQuery(catalogQuery);
  const machines = useQuery({
    ...machinesQuery(where, search, cursor),
    placeholderData: keepPreviousData,
  });
  const facets = useQuery({
    ...facetsQuery({ metrics: [], where: question.where, flagged: "include" }),
    placeholderData: keepPreviousData,
  });
  // Filters react to a press at once; the table follows.
  const listed = useDeferredValue(machines.data);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const searchOf = (next: Question, text = search): SearchLists => ({
    ...toSearch(next),
    ...(text ? { q: [text] } : {}),
  });
  const ask = (next: Question) => onAsk(searchOf(next));
  const clear = () => onAsk({});
  const narrowed = where.length > 0 || search !== "";
  const order = useOrder(`latest upload first${cursor ? ", continued" : ""}`, listed);
  const failure = machines.error ?? catalog.error;
  return (
    <FilteredPage
      title={<h1>Macs</h1>}
      question={question}
      facets={facets.data}
      words={words}
      page="/machines"
      remaining={machines.data ? counted(machines.data.total, "Mac") : ""}
      order={order}
      busy={machines.isFetching}
      onAsk={ask}
      onClear={() => ask({ ...question, where: [] })}
      toolbar={
        <search>
          <Form
            className={styles.search}
            onSubmit={(form) => {
              const text = new FormData(form).get("q");
              onAsk(searchOf(question, typeof text === "string" ? text.trim() : ""));
            }}
          >
            <input
              key={search}
              className="field"
              type="search"
              name="q"
              defaultValue={search}
              maxLength={200}
              aria-label="Name, chip, model, identifier, macOS version or start of an id"
              placeholder="Name, chip, model, macOS or id"
            />
            <Button submit>Search</Button>
          </Form>
        </search>
      }
    >
      {failure ? (
        <ProblemNotice error={failure} onRetry={() => void machines.refetch()} />
      ) : listed && words ? (
        listed.items.length === 0 ? (
          narrowed ? (
            <Notice title="No Macs match" actions={<Button onClick={clear}>Show all Macs</Button>}>
              <p>Change the search, or remove a filter.</p>
            </Notice>
          ) : (
            <Notice title="No Mac has sent a run yet">
              <p>
                Macs appear here once they send a run: <code>macmeter enroll</code>
              </p>
            </Notice>
          )
        ) : (
          <>
            <MachinesTable machines={listed.items} fleet={fleetOf(searchOf(question))} />
            <nav className={runs.paging} aria-label="Pages of Macs">
              {cursor ? (
                <Link to="/machines" search={searchOf(question)}>
                  Back to the first
                </Link>
              ) : null}
              {listed.next ? (
                <Link to="/machines" search={{ ...searchOf(question), cursor: [listed.next] }}>
                  More Macs
                </Link>
              ) : null}
            </nav>
          </>
        )
      ) : (
        <Skeleton height="40rem" lines={20} />
      )}
    </FilteredPage>
  );
}

const COLUMNS: (SortedBy<MachineSummary> & { title: string })[] = [
  { id: "machine", title: "Mac", of: ({ words }) => words.title },
  { id: "chip", title: "Chip", of: ({ chip }) => chip },
  { id: "macos", title: "macOS", of: ({ os_version }) => os_version },
  { id: "runs", title: "Runs", of: (machine) => machine.runs },
  { id: "suites", title: "Suites", of: ({ words }) => words.suites.join() },
  { id: "latest", title: "Latest upload", of: ({ last_received_at: at }) => at && Date.parse(at) },
];

interface TableProps {
  machines: MachineSummary[];
  /** The fleet that the list is of, in which its links stay. */
  fleet: string | undefined;
}

const MachinesTable = memo(function MachinesTable({ machines, fleet }: TableProps) {
  const sorted = useSorted(machines, COLUMNS);
  return (
    <DataTable name="Macs">
      <thead>
        <tr>
          {COLUMNS.map(({ id, title }) => (
            <SortHead
              key={id}
              id={id}
              sorted={sorted}
              title={title}
              className={id === "runs" ? "number" : undefined}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.rows.map((machine) => (
          <tr key={machine.id}>
            <th scope="row">
              <Link to="/machines/$id" params={{ id: machine.id }} search={inFleet({}, fleet)}>
                <bdi>{machine.words.title}</bdi>
              </Link>
              <span className="under">
                {[
                  machine.name === null ? "" : (machine.model_name ?? ""),
                  // A machine without a name or a model already shows its id as its name.
                  (machine.name ?? machine.model_name) ? machine.id.slice(0, 8) : "",
                  machine.virtual ? "a virtual machine" : "",
                ]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </th>
            <td>
              <bdi>{machine.chip ?? "–"}</bdi>
            </td>
            <td>
              <bdi>{machine.os_version ?? "–"}</bdi>
            </td>
            <td className="number">
              <Link to="/runs" search={inFleet({ where: [`machine:${machine.id}`] }, fleet)}>
                {count(machine.runs)}
              </Link>
            </td>
            <td className={styles.suites}>
              <bdi>{machine.words.suites.join(", ")}</bdi>
            </td>
            <td>
              {machine.sources.every((source) => source === "published")
                ? "from an article"
                : day(machine.last_received_at)}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
});
