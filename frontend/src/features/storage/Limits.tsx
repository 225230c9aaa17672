import type { Answer, Group } from "../../api/types";
import { namesOfLanes } from "../../figures/cases";
import type { Extra } from "../../questions/view";
import { wholePercent } from "../../ui/format";
import styles from "../../ui/Aside.module.css";

const HASHING = "hash.sha256_speed";
const READING = "disk.stream_read_speed";
const MEMORY = "hash.sha256_memory_speed";

/** Share of a ceiling from which it counts as the limit. */
const NEAR = 0.85;

export interface Limit {
  id: string;
  label: string;
  /** Hashing while reading divided by reading alone, and by in-memory hashing if known. */
  ofReading: number;
  ofMemory: number | undefined;
  published: boolean;
}

/**
 * Whether the group has several differing published figures: a ratio to their median would be
 * meaningless.
 */
const isUnlike = (group: Group) => group.figures !== undefined;
const keyOf = (group: Group) => JSON.stringify([group.key, group.published]);

/** The limit of hashing in each case with both hashing and reading alone. */
export function limitsOf({ results, figure }: Answer): Limit[] {
  const groupsOf = (metric: string) => results.find((result) => result.metric === metric)?.groups;
  const names = namesOfLanes(figure);
  const resultIndex = results.findIndex((result) => result.metric === HASHING);
  const medians = (metric: string) =>
    new Map(
      (groupsOf(metric) ?? [])
        .filter((group) => !isUnlike(group))
        .map((group) => [keyOf(group), group.median]),
    );
  const [reads, memory] = [medians(READING), medians(MEMORY)];
  return (groupsOf(HASHING) ?? []).flatMap((group, number) => {
    const id = keyOf(group);
    const read = reads.get(id);
    const cached = memory.get(id);
    if (read === undefined || isUnlike(group)) return [];
    return [
      {
        id: `${id}${group.method}`,
        label: names.get(`${resultIndex}.${number}`) ?? "",
        ofReading: group.median / read,
        ofMemory: cached === undefined ? undefined : group.median / cached,
        published: group.published,
      },
    ];
  });
}

/** Name the limit, but never one that wasn't measured. */
export function verdictOf({ ofReading, ofMemory }: Limit): string {
  const sentences = [`${wholePercent(ofReading)} of the read speed`];
  if (ofMemory !== undefined) sentences.push(`${wholePercent(ofMemory)} of in-memory hashing`);
  const shares = sentences.join(", ");
  if (ofReading >= NEAR && ofReading >= (ofMemory ?? 0)) return `${shares}: reading is the limit`;
  if (ofMemory === undefined)
    return `${shares}: reading is not the limit; in-memory hashing was not measured`;
  if (ofMemory >= NEAR) return `${shares}: hashing is the limit`;
  return `${shares}: neither alone is the limit`;
}

export function Limits({ answer }: Pick<Extra, "answer">) {
  const limits = limitsOf(answer);
  if (limits.length === 0) return null;
  return (
    <section className={styles.question}>
      <h3>What limits hashing while reading</h3>
      <ul>
        {limits.map((limit) => (
          <li key={limit.id}>
            <bdi>{limit.label}</bdi>
            {limit.published ? "†" : ""}: {verdictOf(limit)}.
          </li>
        ))}
      </ul>
    </section>
  );
}
