import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Placed, percentileQuery } from "../api/machines";
import type { Percentile } from "../api/types";
import { MarkShape } from "./charts/marks";
import { type Clause, printClause } from "../links/clause";
import { printSearch } from "../links/search";
import { Skeleton } from "../ui/Skeleton";
import { ProblemNotice } from "../ui/ProblemNotice";
import type { Words } from "./words";
import type { Choice } from "./choices";
import section from "../ui/Section.module.css";
import styles from "./PlacePanel.module.css";

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
}

/** One run or machine among similar ones, as defined by the reader. */
export function PlacePanel(props: Props) {
  const { placed, fleet, choices, chosen, onChoose, traits, like, onLike, words } = props;
  const shared = traits.filter(({ dimension }) => like.includes(dimension));
  const scope: Clause[] = fleet ? [{ dimension: "fleet", op: "is", value: fleet }] : [];
  const where = [...scope, ...chosen.where, ...shared];
  const found = useQuery({
    ...percentileQuery(placed, chosen.metric, where.map(printClause)),
    placeholderData: keepPreviousData,
  });
  return (
    <section className={section.section} aria-labelledby="place">
      <h2 id="place">Compared with similar Macs</h2>
      {choices.length > 1 ? (
        <label className={section.choose}>
          Metric
          <select
            className="field"
            value={chosen.id}
            onChange={(event) => onChoose(event.target.value)}
          >
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <fieldset>
        <legend className={section.note}>Similar means same:</legend>
        <div className={styles.cohort}>
          {traits.map(({ dimension, value }) => (
            <label key={dimension}>
              <input
                type="checkbox"
                checked={like.includes(dimension)}
                onChange={() =>
                  onLike(
                    like.includes(dimension)
                      ? like.filter((other) => other !== dimension)
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
      <div className={styles.placed} aria-busy={found.isFetching} aria-live="polite">
        {found.error ? (
          <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />
        ) : found.data ? (
          <>
            <Place found={found.data} />
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

/** Its percentile in words, and its position in the cohort. */
export function Place({ found: { words, value, cohort } }: { found: Percentile }) {
  if (!cohort) return <p className={section.note}>{words.text}</p>;
  return (
    <div className={section.section}>
      <p>
        <strong>{words.lead}</strong>
        {words.text}
      </p>
      <Strip value={value} cohort={cohort} words={words} />
      <p className={section.note}>{words.note}</p>
    </div>
  );
}

interface StripProps {
  value: number;
  cohort: NonNullable<Percentile["cohort"]>;
  words: Percentile["words"];
}

/** The cohort from lowest to highest, its middle, and the value's position. */
function Strip({ value, cohort, words }: StripProps) {
  const low = Math.min(value, cohort.min);
  const high = Math.max(value, cohort.max);
  const at = (figure: number) => `${8 + (84 * (figure - low)) / (high - low || 1)}%`;
  const text = (name: string) => words.cohort?.[name] ?? "";
  const bar = (from: number, to: number, height: number, style: string | undefined) => (
    <rect
      x={at(from)}
      width={`${(84 * (to - from)) / (high - low || 1)}%`}
      y={40 - height / 2}
      height={height}
      className={style}
    />
  );
  return (
    <svg className={styles.plot} height={78} role="img" aria-label={words.alternative}>
      {bar(cohort.min, cohort.max, 4, styles.band)}
      {bar(cohort.p10, cohort.p90, 14, styles.wide)}
      {bar(cohort.p25, cohort.p75, 14, styles.band)}
      <line
        x1={at(cohort.median)}
        x2={at(cohort.median)}
        y1={30}
        y2={50}
        className={styles.middle}
      />
      <text x={at(cohort.median)} y={68} textAnchor="middle">
        median {text("median")}
      </text>
      <svg x={at(value)} overflow="visible">
        <MarkShape mark="circle" x={0} y={40} r={5} colour="var(--accent)" hollow={false} />
      </svg>
      <text x={at(value)} y={22} textAnchor="middle" className={styles.own}>
        {words.beside}
      </text>
    </svg>
  );
}
