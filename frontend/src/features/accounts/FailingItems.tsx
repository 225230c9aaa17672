import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FailingItem, failuresQuery } from "../../api/failures";
import { Section } from "../../ui/Section";
import { count, counted, moment } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "../../ui/Manage.module.css";

const TITLES: Record<string, string> = {
  alerts: "Alerts",
  documents: "Run document",
  mail: "Alert email",
  outliers: "Comparison with similar Macs",
  retention: "Retention",
  webhook: "Alert webhook",
};

/**
 * Fleets, runs or recipients for which something fails on this server, for its admins; empty if all
 * is well.
 */
export function FailingItems() {
  const { data, error, refetch } = useQuery(failuresQuery);
  if (error) return <ProblemNotice error={error} onRetry={() => void refetch()} />;
  if (!data?.items.length) return null;
  return (
    <Section id="failing" title="Failing on this server">
      <p>
        Nothing else is affected. The server retries at the times shown.
        {data.total > data.items.length &&
          ` ${count(data.items.length)} of ${count(data.total)} are shown.`}
      </p>
      <ul>
        {data.items.map((item) => (
          <li key={`${item.work} ${item.item} ${item.reason}`} className={styles.row}>
            <div>
              {TITLES[item.work] ?? item.work} · <Whose item={item} />
              <span className={styles.reason}>
                <bdi>{item.reason}</bdi>
              </span>
              <span className={styles.under}>{attemptsOf(item)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Whose({ item: { of, item, name } }: { item: FailingItem }) {
  if (of === "run") {
    return (
      <Link to="/runs/$id" params={{ id: item }} title={item}>
        Open run
      </Link>
    );
  }
  if (name === null) return <>deleted fleet</>;
  return (
    <Link to="/fleets/$name" params={{ name }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function attemptsOf({ attempts, last_at, retry_at }: FailingItem): string {
  const facts = [counted(attempts, "attempt")];
  if (last_at) facts.push(`last ${moment(last_at)}`);
  if (retry_at) facts.push(`next ${moment(retry_at)}`);
  return facts.join(" · ");
}
