import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dashboardQuery, type Dashboard } from "../../api/fleets";
import type { Clause } from "../../links/clause";
import type { SearchLists } from "../../links/search";
import { type Sides, sidesSearch } from "../../links/sides";
import { count, counted, day } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import record from "../../ui/Record.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { Alerts } from "./Alerts";
import { Changes } from "./Changes";
import styles from "./Fleet.module.css";
import { Health } from "./Health";
import { Machines } from "./Machines";
import { Outliers } from "./Outliers";
import { Unseen } from "../../figures/Unseen";

/**
 * Refetch intervals in milliseconds: a fleet's figures are recomputed this often, a new fleet's
 * within moments.
 */
const AGAIN = 20_000;
const SOON = 2_000;

interface Props {
  name: string;
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** A fleet's alerts, health, changes after updates, outliers, and all its Macs. */
export function FleetPage({ name, search, onSearch }: Props) {
  const dashboard = useQuery({
    ...dashboardQuery(name),
    refetchInterval: ({ state }) => (state.error ? false : state.data?.as_of ? AGAIN : SOON),
  });
  useTitle(dashboard.data?.fleet.name ?? "Fleet");
  if (dashboard.error) {
    return <Unseen error={dashboard.error} onRetry={() => void dashboard.refetch()} />;
  }
  if (!dashboard.data) return <Skeleton height="60rem" lines={26} />;
  const { fleet, machines, retired, as_of } = dashboard.data;
  return (
    <article className={styles.page}>
      <Head dashboard={dashboard.data} />
      {machines + retired === 0 ? (
        <Notice title="No Mac of this fleet has enrolled yet">
          <p>
            Macs appear here once they enrol:{" "}
            <code>macmeter enroll --server {location.origin} --secret SECRET</code>
          </p>
        </Notice>
      ) : (
        <>
          <Alerts fleet={fleet} asOf={as_of} days={dashboard.data.health.alert_days} />
          <Health dashboard={dashboard.data} search={search} />
          <Changes dashboard={dashboard.data} />
          <Outliers dashboard={dashboard.data} />
          <Machines fleet={fleet} asOf={as_of} search={search} onSearch={onSearch} />
        </>
      )}
    </article>
  );
}

/**
 * This fleet as one side, everybody else's public runs as the other. Internal storage is what nearly
 * every Mac measures; other storage mixes too much for a ratio.
 */
function oursAndPublic({ fleet }: Dashboard): Sides {
  const own: Clause = { dimension: "fleet", op: "is", value: fleet.name };
  return {
    metrics: ["disk.write_average", "disk.read_average"],
    sides: [
      { where: [own], label: fleet.name },
      // A private fleet's runs are never among public ones.
      { where: fleet.visibility === "public" ? [{ ...own, op: "not" }] : [], label: "Public Macs" },
    ],
    where: [{ dimension: "storage", op: "is", value: "internal" }],
    baseline: 2,
    weight: "machine",
    flagged: "exclude",
  };
}

/** Groups of Macs by a label, each a side of a comparison; the largest is the baseline. */
function byLabel({ fleet, labels }: Dashboard): { key: string; sides: Sides }[] {
  return labels.map(({ key, values }) => ({
    key,
    sides: {
      metrics: ["disk.write_average", "disk.read_average"],
      sides: values.map(({ value }) => ({
        where: [{ dimension: `label:${key}`, op: "is", value: value ?? "" }],
        label: `${key}: ${value}`,
      })),
      where: [{ dimension: "fleet", op: "is", value: fleet.name }],
      baseline: 1,
      weight: "machine",
      flagged: "exclude",
    },
  }));
}

function Head({ dashboard }: { dashboard: Dashboard }) {
  const { fleet, machines, retired, runs, last_received_at } = dashboard;
  const where = [`fleet:${fleet.name}`];
  return (
    <header className={record.head}>
      <p className={record.kind}>
        {fleet.visibility === "public"
          ? "Public fleet"
          : "Private fleet: only its members see these figures"}
      </p>
      <h1>
        <bdi>{fleet.name}</bdi>
      </h1>
      <p className={record.sub}>
        {[
          counted(machines, "Mac"),
          retired > 0 ? `${count(retired)} retired` : "",
          counted(runs, "run"),
          last_received_at ? `last upload on ${day(last_received_at)}` : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <nav aria-label="More about this fleet" className={styles.ways}>
        <Link to="/runs" search={{ where }}>
          Runs
        </Link>
        <Link to="/storage" search={{ where }}>
          Storage
        </Link>
        <Link to="/threads" search={{ where }}>
          Threads
        </Link>
        <Link to="/compare" search={sidesSearch(oursAndPublic(dashboard))}>
          Compare with public Macs
        </Link>
        {byLabel(dashboard).map(({ key, sides }) => (
          <Link key={key} to="/compare" search={sidesSearch(sides)}>
            Compare by <bdi>{key}</bdi>
          </Link>
        ))}
        <Link to="/machines" search={{ where }}>
          All its Macs
        </Link>
        {fleet.role === "admin" ? (
          <Link to="/fleets/$name/duplicates" params={{ name: fleet.name }}>
            Duplicate Macs
          </Link>
        ) : null}
        <Link to="/fleets/$name/sent" params={{ name: fleet.name }}>
          What leaves a Mac
        </Link>
        <Link to="/fleets/$name/settings" params={{ name: fleet.name }}>
          Settings
        </Link>
      </nav>
    </header>
  );
}
