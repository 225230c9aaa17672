import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dashboardQuery, type Dashboard } from "../../api/fleets";
import { type Clause, printClause } from "../../links/clause";
import type { SearchLists } from "../../links/search";
import { type Sides, sidesSearch } from "../../links/sides";
import { count, counted, day } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import record from "../../ui/Record.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { Alerts } from "./Alerts";
import { groupAsked } from "./asked";
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
  const where = groupAsked(search);
  const dashboard = useQuery({
    ...dashboardQuery(name, where),
    refetchInterval: ({ state }) =>
      state.error ? false : (state.data?.as_of ?? state.data?.fleet.limited) ? AGAIN : SOON,
  });
  const of = dashboard.data;
  useTitle(of ? [of.group, of.fleet.name].filter(Boolean).join(", ") : "Fleet");
  if (dashboard.error) {
    return <Unseen error={dashboard.error} onRetry={() => void dashboard.refetch()} />;
  }
  if (!dashboard.data) return <Skeleton height="60rem" lines={26} />;
  const { fleet, machines, retired, as_of } = dashboard.data;
  return (
    <article className={styles.page}>
      <Head dashboard={dashboard.data} />
      {machines + retired === 0 ? (
        <NoMacs isGroup={where !== ""} />
      ) : (
        <>
          <Alerts
            key={where}
            fleet={fleet}
            where={where}
            asOf={as_of}
            days={dashboard.data.health.alert_days}
          />
          <Health dashboard={dashboard.data} search={search} />
          {fleet.limited ? null : (
            <>
              <Changes dashboard={dashboard.data} />
              <Outliers dashboard={dashboard.data} />
            </>
          )}
          <Machines
            labels={dashboard.data.labels}
            key={`of ${where}`}
            fleet={fleet}
            asOf={as_of}
            search={search}
            onSearch={onSearch}
          />
        </>
      )}
    </article>
  );
}

function NoMacs({ isGroup }: { isGroup: boolean }) {
  return isGroup ? (
    <Notice title="No Mac has this label any more">
      <p>A Mac is in the group that its newest run states.</p>
    </Notice>
  ) : (
    <Notice title="No Mac of this fleet has enrolled yet">
      <p>
        Macs appear here once they enrol:{" "}
        <code>macmeter enroll --server {location.origin} --secret SECRET</code>
      </p>
    </Notice>
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
  const compared = labels.filter(({ values }) => (values[1]?.machines ?? 0) > 1);
  return compared.map(({ key, values }) => ({
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
  const { fleet, group, machines, retired, runs, last_received_at } = dashboard;
  const where = [`fleet:${fleet.name}`, ...(group ? [dashboard.where] : [])];
  const readers =
    fleet.visibility === "public"
      ? "Public fleet"
      : "Private fleet: only its members see these figures";
  return (
    <header className={record.head}>
      <p className={record.kind}>
        {fleet.limited ? (
          <>
            Fleet <bdi>{fleet.name}</bdi>. Your role is limited to <bdi>{group}</bdi>
          </>
        ) : group ? (
          <>
            Group of{" "}
            <Link to="/fleets/$name" params={{ name: fleet.name }}>
              <bdi>{fleet.name}</bdi>
            </Link>
            , by the label of each Mac’s newest run
          </>
        ) : (
          readers
        )}
      </p>
      <h1>
        <bdi>{group || fleet.name}</bdi>
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
      <nav
        aria-label={group ? "More about this group" : "More about this fleet"}
        className={styles.ways}
      >
        <Link to="/runs" search={{ where }}>
          Runs
        </Link>
        <Link to="/storage" search={{ where }}>
          Storage
        </Link>
        <Link to="/threads" search={{ where }}>
          Threads
        </Link>
        {group ? null : <WaysOfFleet dashboard={dashboard} />}
      </nav>
      <Groups dashboard={dashboard} />
    </header>
  );
}

function WaysOfFleet({ dashboard }: { dashboard: Dashboard }) {
  const { fleet } = dashboard;
  return (
    <>
      <Link to="/compare" search={sidesSearch(oursAndPublic(dashboard))}>
        Compare with public Macs
      </Link>
      {byLabel(dashboard).map(({ key, sides }) => (
        <Link key={key} to="/compare" search={sidesSearch(sides)}>
          Compare by <bdi>{key}</bdi>
        </Link>
      ))}
      <Link to="/machines" search={{ where: [`fleet:${fleet.name}`] }}>
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
    </>
  );
}

/** The fleet's groups by each label, with their Macs; each leads to its own page. */
function Groups({ dashboard }: { dashboard: Dashboard }) {
  const { fleet, labels, where } = dashboard;
  if (labels.length === 0) return null;
  const params = { name: fleet.name };
  return (
    <nav aria-label="Groups" className={styles.groups}>
      {labels.map(({ key, values }) => (
        <p key={key}>
          <bdi>{key}</bdi>
          {values.map(({ value, machines }) => {
            const filter = printClause({ dimension: `label:${key}`, op: "is", value: value ?? "" });
            return (
              <span key={filter}>
                <Link
                  to="/fleets/$name"
                  params={params}
                  search={{ where: [filter] }}
                  aria-current={filter === where ? "page" : undefined}
                >
                  <bdi>{value}</bdi>
                </Link>{" "}
                <small>{counted(machines, "Mac")}</small>
              </span>
            );
          })}
        </p>
      ))}
    </nav>
  );
}
