import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Dashboard, FleetChange } from "../../api/fleets";
import { parseClause } from "../../links/clause";
import { type Sides, sidesSearch } from "../../links/sides";
import { Button } from "../../ui/Button";
import { count, counted, day } from "../../ui/format";
import { DataTable, Heads } from "../../ui/DataTable";
import section from "../../ui/Section.module.css";
import styles from "./Fleet.module.css";

const SHOWN = 12;

/** How each kind of Mac changed with macOS updates, each Mac compared with itself. */
export function Changes({ dashboard }: { dashboard: Dashboard }) {
  const [all, setAll] = useState(false);
  const { changes, fleet } = dashboard;
  const shownChanges = all ? changes : changes.slice(0, SHOWN);
  return (
    <section className={section.section}>
      <h2>Changes after macOS updates</h2>
      {changes.length === 0 ? (
        <p className={section.note}>
          No Mac has runs from both before and after an update in the last six months.
        </p>
      ) : (
        <>
          <p className={section.note}>
            The median change of Macs with runs from before and after, each compared with itself,
            and its 95% interval. An interval needs 6 Macs. Changes with an alert come first.
          </p>
          <DataTable name="Changes after macOS updates">
            <Heads
              titles={[
                "Figure",
                "After",
                { number: "Change" },
                { number: "95% interval" },
                { number: "Updated Macs" },
                "Of",
              ]}
            />
            <tbody>
              {shownChanges.map((change) => (
                <Row
                  key={[change.metric, change.version, ...change.where].join(" ")}
                  change={change}
                  fleet={fleet.name}
                />
              ))}
            </tbody>
          </DataTable>
          {changes.length > SHOWN ? (
            <p>
              <Button onClick={() => setAll(!all)}>
                {all ? "Show fewer" : `Show all ${count(changes.length)}`}
              </Button>
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

function Row({ change, fleet }: { change: FleetChange; fleet: string }) {
  const { words, version } = change;
  const where = [`fleet:${fleet}`, ...change.where];
  return (
    <tr>
      <th scope="row">
        <Link to="/compare" search={sidesSearch(beforeAndAfter(change, fleet))}>
          {change.title}
        </Link>
      </th>
      <td>
        <bdi>{words.after}</bdi>
        <span className="under">{day(change.at)}</span>
      </td>
      <td className={`number chief ${isWorse(change) && change.told ? styles.worse : ""}`}>
        {words.change}
      </td>
      <td className="number">{words.interval || "–"}</td>
      <td className="number">
        <Link to="/runs" search={{ where: [...where, `os_version:${version ?? ""}`] }}>
          {count(change.machines)} of {count(change.of)}
        </Link>
        <span className="under">{change.told ? `alert: ${counted(change.moved, "Mac")}` : ""}</span>
      </td>
      <td>
        <bdi>{words.cohort}</bdi>
      </td>
    </tr>
  );
}

function isWorse({ ratio, better }: FleetChange): boolean {
  return better === "lower" ? ratio > 1 : ratio < 1;
}

const read = (texts: string[]) => texts.flatMap((text) => parseClause(text) ?? []);

/** The same Macs under that macOS and under those before, side by side. */
function beforeAndAfter(change: FleetChange, fleet: string): Sides {
  const version = change.version ?? "";
  // A fleet that was worked out by an older server doesn't say which there were.
  const before = change.before.map((older) => `os_version:${older}`);
  return {
    metrics: [change.metric],
    sides: [
      {
        where: read(before.length > 0 ? before : [`os_version!:${version}`]),
        label: `Before ${change.words.after}`,
      },
      { where: read([`os_version:${version}`]), label: change.words.after },
    ],
    where: read([`fleet:${fleet}`, ...change.where]),
    baseline: 1,
    weight: "machine",
    flagged: "exclude",
  };
}
