import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Placed, percentileQuery } from "../api/machines";
import type { Percentile, Strip as StripFigures } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import { printSearch } from "../links/search";
import { systemText } from "../ui/format";
import { Skeleton } from "../ui/Skeleton";
import { ProblemNotice } from "../ui/ProblemNotice";
import type { Words } from "./words";
import type { Choice } from "./choices";
import { MetricChoice } from "./MetricChoice";
import section from "../ui/Section.module.css";
import styles from "./PlacePanel.module.css";
import { Strip } from "./Strip";

interface Props {
  placed: Placed;
  /** The fleet among whose Macs it is placed; without one, among public ones. */
  fleet: string | undefined;
  choices: Choice[];
  chosen: Choice;
  onChoose: (id: string) => void;
  /** Traits that similar ones may share with it. */
  traits: Clause[];
  /** Dimensions of the traits that they must share. */
  like: string[];
  onLike: (like: string[]) => void;
  words: Words;
  /** Why it has no percentile. */
  unplaced?: string | undefined;
  /** What is already known of its place among the usual ones, and the title that says it. */
  computed?: { title: string; strip: StripFigures; where: Clause[] } | undefined;
}

/** One run or machine among similar ones, as defined by the reader. */
export function PlacePanel(props: Props) {
  const { placed, fleet, choices, chosen, onChoose, traits, like, onLike, words } = props;
  const { unplaced, computed } = props;
  const shared = traits.filter(({ dimension }) => like.includes(dimension));
  const scope: Clause[] = fleet ? [{ dimension: "fleet", op: "is", value: fleet }] : [];
  const where = [...scope, ...chosen.where, ...shared];
  const percentile = useQuery({
    ...percentileQuery(placed, chosen.metric, where.map(printClause)),
    placeholderData: keepPreviousData,
    enabled: computed === undefined && unplaced === undefined,
  });
  const matched = (computed?.where ?? shared)
    .filter(({ dimension }) => dimension !== "virtual" && words.has(dimension, "may_be_like"))
    .map(({ dimension, value }) =>
      dimension === "os_version" ? systemText(value) : words.value(dimension, value),
    );
  return (
    <section className={section.section} aria-labelledby="place">
      <h2 id="place">{computed?.title ?? "Compared with similar Macs"}</h2>
      <MetricChoice choices={choices} chosen={chosen} onChoose={onChoose} words={words} />
      <details className={styles.matched}>
        <summary>
          {matched.length > 0 ? (
            <>
              Matched on <bdi>{matched.join(", ")}</bdi>.{" "}
            </>
          ) : null}
          <span className="act">Change</span>
        </summary>
        <fieldset>
          <legend className={section.note}>Compare with Macs that have the same</legend>
          <div className={styles.cohort}>
            {traits.map(({ dimension, value }) => (
              <label key={dimension}>
                <input
                  type="checkbox"
                  checked={like.includes(dimension)}
                  onChange={() =>
                    onLike(
                      like.includes(dimension)
                        ? like.filter((name) => name !== dimension)
                        : [...like, dimension],
                    )
                  }
                />
                <span>
                  {words.dimensionInside(dimension)}{" "}
                  <bdi className="quiet">{words.value(dimension, value)}</bdi>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </details>
      <div className={styles.placed} aria-busy={percentile.isFetching} aria-live="polite">
        {unplaced ? (
          <p className={section.note}>{unplaced}</p>
        ) : computed ? (
          <Strip strip={computed.strip} tall />
        ) : percentile.error ? (
          <ProblemNotice error={percentile.error} onRetry={() => void percentile.refetch()} />
        ) : percentile.data ? (
          <>
            <Place percentile={percentile.data} own={"run" in placed ? "this run" : "this Mac"} />
            <p className={section.note}>
              <a
                href={`/api/v1/percentile?${printSearch({ metric: [chosen.metric], where: where.map(printClause), ...listsOf(placed) })}`}
                download="macmeter-place.json"
              >
                Percentile as JSON
              </a>
            </p>
          </>
        ) : (
          <Skeleton height="12rem" lines={5} />
        )}
      </div>
    </section>
  );
}

const listsOf = (placed: Placed) =>
  Object.fromEntries(Object.entries(placed).map(([name, id]) => [name, [String(id)]]));

/** Its percentile in words, and its position among the others. */
function Place({ percentile: { words }, own }: { percentile: Percentile; own: string }) {
  if (!words.strip) return <p className={section.note}>{words.text}</p>;
  return (
    <div className={section.section}>
      <p>
        <strong>{words.lead}</strong>
        {words.text}
      </p>
      <Strip strip={words.strip} tall own={own} />
      <p className={section.note}>{words.note}</p>
    </div>
  );
}
