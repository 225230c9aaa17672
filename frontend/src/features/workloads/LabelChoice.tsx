import { Link } from "@tanstack/react-router";
import { toSearch } from "../../links/question";
import type { Extra } from "../../questions/view";
import styles from "./Workloads.module.css";

const LABEL = "label:";

/** Choice of the label by which durations are grouped. */
export function LabelChoice({ question, facets }: Pick<Extra, "question" | "facets">) {
  const labels =
    facets?.dimensions.map(({ name }) => name).filter((name) => name.startsWith(LABEL)) ?? [];
  const groups = question.by.filter((name) => name.startsWith(LABEL));
  const names = [...new Set([...labels, ...groups])];
  // Reserve the row until it is known whether there are any.
  if (!facets) return <div className={styles.labels} />;
  if (names.length === 0) return null;
  const others = question.by.filter((name) => !name.startsWith(LABEL));
  return (
    <nav className={styles.labels} aria-label="By label">
      <span>Durations</span>
      {["", ...names].map((name) => (
        <Link
          key={name}
          to="/workloads"
          search={toSearch({
            ...question,
            by: name ? [...others, name] : others,
            // Grouping by a label makes a filter on it unnecessary.
            where: question.where.filter(({ dimension }) => dimension !== name),
          })}
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={(name ? groups.includes(name) : groups.length === 0) ? "true" : undefined}
        >
          {name ? `by ${name.slice(LABEL.length)}` : "together"}
        </Link>
      ))}
    </nav>
  );
}
