import { Link } from "@tanstack/react-router";
import type { Dashboard } from "../../api/fleets";
import { inFleet } from "../../links/fleet";
import { count } from "../../ui/format";
import { DataTable, Heads } from "../../ui/DataTable";
import section from "../../ui/Section.module.css";
import styles from "./Fleet.module.css";

/** Macs whose latest runs are worse than those of similar ones. */
export function Outliers({ dashboard }: { dashboard: Dashboard }) {
  const { outliers, fleet } = dashboard;
  return (
    <section className={section.section}>
      <h2>Macs that differ from similar ones</h2>
      {outliers.length === 0 ? (
        <p className={section.note}>
          In their latest runs, no Mac was far worse than similar Macs. This needs 8 Macs of a kind,
          4 of them with the same macOS.
        </p>
      ) : (
        <DataTable name="Macs that differ from similar ones">
          <Heads
            titles={[
              "Mac",
              { number: "From the median" },
              "Known cause",
              { number: "Similar Macs" },
              "Match on",
            ]}
          />
          <tbody>
            {outliers.map((outlier) => (
              <tr key={[outlier.machine_id, outlier.metric, ...outlier.where].join(" ")}>
                <th scope="row">
                  <Link
                    to="/machines/$id"
                    params={{ id: outlier.machine_id }}
                    search={inFleet({}, fleet.name)}
                  >
                    {outlier.words.machine}
                  </Link>
                  <span className="under">{outlier.title}</span>
                </th>
                <td className="number chief">{outlier.words.change}</td>
                <td>{outlier.words.causes}</td>
                <td className="number">
                  <Link to="/runs" search={{ where: [`fleet:${fleet.name}`, ...outlier.where] }}>
                    {count(outlier.machines)}
                  </Link>
                </td>
                <td className={styles.match}>
                  <bdi>{outlier.words.cohort}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  );
}
