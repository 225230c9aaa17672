import { Link } from "@tanstack/react-router";
import type { Comparison } from "../../api/types";
import { counted, day } from "../../ui/format";
import { withdrawerOf } from "../../ui/WithdrawnNotice";
import styles from "./ComparisonPage.module.css";

/** Notice that runs behind the frozen figures were withdrawn; the figures stay. */
export function WithdrawnRuns({ runs }: { runs: Comparison["withdrawn"] }) {
  if (runs.length === 0) return null;
  return (
    <section className={styles.withdrawn} aria-label="Withdrawn runs">
      <p>
        <strong className={styles.changed}>
          {counted(runs.length, "run")} behind these figures {runs.length === 1 ? "was" : "were"}{" "}
          withdrawn since.
        </strong>{" "}
        The frozen figures still count {runs.length === 1 ? "it" : "them"}; live ones do not.
      </p>
      <ul>
        {runs.map((run) => (
          <li key={run.run_id}>
            <Link to="/runs/$id" params={{ id: run.run_id }}>
              Run {run.run_id.slice(0, 8)}
            </Link>
            , by {withdrawerOf(run)} on {day(run.at)}: <bdi>{run.reason}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
