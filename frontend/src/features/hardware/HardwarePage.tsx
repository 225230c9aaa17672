import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { machinesQuery } from "../../api/machines";
import { thingQuery } from "../../api/things";
import type { Machines, Hardware, HardwareDetail } from "../../api/types";
import { Headlines } from "../../figures/Headlines";
import { onEverything } from "../../figures/sides/sideWords";
import { parseClause } from "../../links/clause";
import { sidesSearch } from "../../links/sides";
import { DataTable, Heads } from "../../ui/DataTable";
import { count, counted, day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import record from "../../ui/Record.module.css";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "./hardware.module.css";

const HardwareOverTime = lazy(() => import("./HardwareOverTime"));

interface Props {
  kind: "chips" | "models";
  slug: string;
  /** Render what articles state about it. */
  children?: (thing: Hardware) => ReactNode;
}

const KINDS = { chips: "Chip", models: "Model" };

/** A chip or model: its figures among others, the Macs behind them, and links to more. */
export function HardwarePage({ kind, slug, children }: Props) {
  const hardware = useQuery(thingQuery(kind, slug));
  useTitle(hardware.data?.thing.name ?? KINDS[kind]);
  if (hardware.error) {
    return (
      <ProblemNotice
        page
        error={hardware.error}
        onRetry={() => void hardware.refetch()}
        ways={
          <Link to={kind === "chips" ? "/chips" : "/models"} search={{}}>
            Show all {kind}
          </Link>
        }
      />
    );
  }
  if (!hardware.data) return <Skeleton height="60rem" lines={26} />;
  const { thing, headlines } = hardware.data;
  return (
    <article className={record.page}>
      <header className={record.head}>
        <p className={record.kind}>{KINDS[kind]}</p>
        <h1>
          <bdi>{thing.name}</bdi>
        </h1>
        <p className={record.sub}>
          {counted(thing.machines, "Mac")} · {counted(thing.runs, "run")}
        </p>
        <Ways hardware={hardware.data} />
      </header>
      <Headlines headlines={headlines} />
      <Suspense fallback={<Skeleton height="46rem" lines={20} />}>
        <HardwareOverTime thing={thing} headlines={headlines} />
      </Suspense>
      <Related kind={kind} found={hardware.data} />
      <Behind thing={thing} />
      {children?.(thing)}
    </article>
  );
}

/** Links to its results by topic, its runs, and a comparison with everything else. */
function Ways({ hardware: { thing, suites } }: { hardware: HardwareDetail }) {
  const where = thing.where.flatMap((text) => parseClause(text) ?? []);
  const compared = onEverything([
    { where },
    { where: [{ dimension: "virtual", op: "is", value: "false" }] },
  ]);
  const pages = new Set(suites.flatMap(({ page }) => page ?? []));
  return (
    <nav aria-label="More about it" className={styles.ways}>
      {[...pages].map((page) => (
        <Link key={page} to={page} search={{ where: thing.where }}>
          {page.slice(1, 2).toUpperCase() + page.slice(2)}
        </Link>
      ))}
      <Link to="/runs" search={{ where: thing.where }}>
        Runs
      </Link>
      <Link to="/compare" search={sidesSearch({ ...compared, baseline: 2 })}>
        Compare with all Macs
      </Link>
    </nav>
  );
}

function Related({ kind, found: { related } }: { kind: Props["kind"]; found: HardwareDetail }) {
  if (related.length === 0) return null;
  return (
    <section className={section.section}>
      <h2>{kind === "chips" ? "Models with this chip" : "The same model with other chips"}</h2>
      <HardwareList kind="models" things={related} />
    </section>
  );
}

/** Chips or models as links, with the number of Macs of each. */
export function HardwareList({ kind, things }: { kind: Props["kind"]; things: Hardware[] }) {
  return (
    <ul className={styles.list}>
      {things.map(({ slug, name, machines }) => (
        <li key={slug}>
          <Link to={kind === "chips" ? "/chips/$slug" : "/models/$slug"} params={{ slug }}>
            <bdi>{name}</bdi>
          </Link>{" "}
          <span className="quiet">{counted(machines, "Mac")}</span>
        </li>
      ))}
    </ul>
  );
}

/** Number of Macs listed. */
const SHOWN = 8;

function Behind({ thing }: { thing: Hardware }) {
  const macs = useQuery(machinesQuery(thing.where, "", undefined));
  if (!macs.data) return macs.error ? null : <Skeleton height="24rem" lines={9} />;
  if (macs.data.items.length === 0) return null;
  return (
    <section className={section.section}>
      <h2>Macs behind these figures</h2>
      <MacsTable macs={macs.data.items.slice(0, SHOWN)} />
      {macs.data.total > SHOWN ? (
        <p>
          <Link to="/machines" search={{ where: thing.where }}>
            Show all {count(macs.data.total)} Macs
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function MacsTable({ macs }: { macs: Machines["items"] }) {
  return (
    <DataTable name="Macs behind these figures">
      <Heads titles={["Mac", "macOS", { number: "Runs" }, "Last run"]} />
      <tbody>
        {macs.map(({ id, words, os_version, runs, last_received_at }) => (
          <tr key={id}>
            <th scope="row">
              <Link to="/machines/$id" params={{ id }} search={{}}>
                <bdi>{words.title}</bdi>
              </Link>
              <span className="under" title={id}>
                {id.slice(0, 8)}
              </span>
            </th>
            <td>
              <bdi>{os_version}</bdi>
            </td>
            <td className="number">{count(runs)}</td>
            <td>{day(last_received_at)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
