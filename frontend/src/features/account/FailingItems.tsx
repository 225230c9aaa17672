import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FailingItem, failuresQuery } from "../../api/failures";
import { counted, moment } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./account.module.css";

const TITLES: Record<string, string> = {
  alerts: "Alerts of a fleet",
  documents: "Document of a run",
  mail: "Alert by mail",
  outliers: "Comparing a run with similar Macs",
  retention: "Retention of a fleet",
  webhook: "Alert by webhook",
};

/** What fails on this server for one fleet, run or recipient, for its admins; nothing if all is well. */
export function FailingItems() {
  const { data, error } = useQuery(failuresQuery);
  if (error) return <ProblemNotice error={error} />;
  if (!data?.items.length) return null;
  return (
    <section className={styles.section} aria-labelledby="failing">
      <h2 id="failing">Failing on this server</h2>
      <p>Everything else goes on. The server tries again by itself where a time is given.</p>
      <ul>
        {data.items.map((item) => (
          <li key={`${item.work} ${item.item} ${item.reason}`} className={styles.row}>
            <div>
              {TITLES[item.work] ?? item.work} <Whose item={item} />
              <span className={styles.under}>{aboutFailure(item)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Whose({ item }: { item: FailingItem }) {
  if (item.of === "run") {
    return (
      <Link to="/runs/$id" params={{ id: item.item }} title={item.item}>
        Open run
      </Link>
    );
  }
  if (item.of === "fleet") {
    return (
      <Link to="/fleets/$name" params={{ name: item.item }} title={item.item}>
        Open fleet
      </Link>
    );
  }
  return null;
}

function aboutFailure({ reason, attempts, last_at, retry_at }: FailingItem): string {
  const told = [
    reason,
    counted(attempts, "attempt"),
    last_at ? `last ${moment(last_at)}` : null,
    retry_at ? `next ${moment(retry_at)}` : null,
  ];
  return told.filter((part) => part !== null).join(" · ");
}
