import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FieldSent, sentQuery } from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import { DataTable, Heads } from "../../ui/DataTable";
import prose from "../../ui/Prose.module.css";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "./Fleet.module.css";
import { Unseen } from "../../figures/Unseen";

/** Parts of a run document, in the order of the page. Other fields are about the run itself. */
const PARTS: Record<string, string> = {
  machine: "The Mac",
  environment: "State of the Mac",
  target: "Storage that was measured",
  method: "Method",
  agent: "Agent",
  tool: "Imported from another tool",
  labels: "Labels",
  series: "Results",
  traces: "Readings over time",
  warnings: "Warnings",
  citation: "Only in published figures, which a Mac never sends",
  published_ratios: "Only in published figures, which a Mac never sends",
  published_ranges: "Only in published figures, which a Mac never sends",
};

const partOf = ({ path }: FieldSent) => PARTS[path.split(/[.[]/)[0] ?? ""] ?? "The run";

const TITLES = [...new Set(["The run", ...Object.values(PARTS)])];

/** For auditors: every field that leaves a Mac, what it means, and this fleet's own example. */
export function SentPage({ name }: { name: string }) {
  useTitle(`What leaves a Mac of ${name}`);
  const sent = useQuery(sentQuery(name));
  if (sent.error) return <Unseen error={sent.error} onRetry={() => void sent.refetch()} />;
  if (!sent.data) return <Skeleton height="60rem" lines={26} />;
  const { fields } = sent.data;
  return (
    <article className={styles.page}>
      <header className={prose.head}>
        <h1>What leaves a Mac</h1>
        <p className={prose.lead}>
          Every field that the agent can send, with examples from the newest run of each kind in{" "}
          <Link to="/fleets/$name" params={{ name }}>
            <bdi>{name}</bdi>
          </Link>
          .
        </p>
      </header>
      <section className={section.section}>
        <h2>Never sent</h2>
        <p className={section.note}>
          Serial numbers, hardware UUIDs, names of hosts, users and volumes, paths, command lines,
          and the content of files. Names of Macs that you see here were entered on this server. A
          label that contains the name of the user or the host is refused on the Mac.
        </p>
      </section>
      <section className={section.section}>
        <h2>Sent with each run</h2>
        <p className={section.note}>
          The Mac’s token and the version of the agent, in the headers of the request. When it
          enrols: the fleet’s secret, its random id, and a proof that it is the Mac that made the
          id. As with any request, the server sees the network address.
        </p>
      </section>
      {TITLES.map((title) => (
        <Part
          key={title}
          title={title}
          fields={fields.filter((field) => partOf(field) === title)}
          fleet={name}
        />
      ))}
      <section className={section.section}>
        <h2>Check it yourself</h2>
        <p className={section.note}>
          On a Mac, <code>macmeter preview</code> prints what a run would send, and{" "}
          <code>macmeter runs</code> lists the files that it has sent. Here, each run’s page shows
          its document as uploaded. <a href="/api/v1/run.v1.schema.json">The JSON schema</a> is what
          the server accepts.
        </p>
      </section>
    </article>
  );
}

function Part({ title, fields, fleet }: { title: string; fields: FieldSent[]; fleet: string }) {
  if (fields.length === 0) return null;
  return (
    <section className={section.section}>
      <h2>{title}</h2>
      <DataTable name={title} className={styles.sent}>
        <Heads titles={["Field", "Meaning", "Example of this fleet"]} />
        <tbody>
          {fields.map(({ path, meaning, example, run_id }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>{meaning ?? "Not in this server’s schema: sent by a newer agent"}</td>
              <td>
                {example === null || run_id === null ? (
                  "–"
                ) : (
                  <Link to="/runs/$id" params={{ id: run_id }} search={inFleet({}, fleet)}>
                    <bdi>{example}</bdi>
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
