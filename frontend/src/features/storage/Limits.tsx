import type { Answer, Group } from "../../api/types";
import { percent } from "../../ui/format";
import { caseLabel, readingOrder, uncapitalised, type Words } from "../../figures/words";
import type { Extra } from "../../questions/view";
import styles from "../../ui/Aside.module.css";

const HASHING = "hash.sha256_speed";
const READING = "disk.stream_read_speed";
const MEMORY = "hash.sha256_memory_speed";

/** From this share on, a ceiling is what limits. */
const NEAR = 0.85;

export interface Limit {
  id: string;
  label: string;
  /** Hashing while reading divided by reading alone, and by in-memory hashing if known. */
  ofReading: number;
  ofMemory: number | undefined;
  published: boolean;
}

const keyOf = (group: Group) => JSON.stringify([group.key, group.published]);

/** What limits hashing, for each case with both hashing and reading alone. */
export function limitsOf(answer: Answer, words: Words): Limit[] {
  const of = (metric: string) => answer.results.find((result) => result.metric === metric)?.groups;
  const reads = new Map((of(READING) ?? []).map((group) => [keyOf(group), group.median]));
  const memory = new Map((of(MEMORY) ?? []).map((group) => [keyOf(group), group.median]));
  return (of(HASHING) ?? []).flatMap((group) => {
    const id = keyOf(group);
    const read = reads.get(id);
    const cached = memory.get(id);
    if (read === undefined) return [];
    return [
      {
        id: `${id}${group.method}`,
        label: caseLabel(words, readingOrder(words, answer.question.by), group.key),
        ofReading: group.median / read,
        ofMemory: cached === undefined ? undefined : group.median / cached,
        published: group.published,
      },
    ];
  });
}

/** Names the limit; never one that was not measured. */
export function verdictOf({ ofReading, ofMemory }: Limit): string {
  const parts = [`${percent(ofReading)} of the read speed`];
  if (ofMemory !== undefined) parts.push(`${percent(ofMemory)} of in-memory hashing`);
  const shares = parts.join(", ");
  if (ofReading >= NEAR && ofReading >= (ofMemory ?? 0)) return `${shares}: reading is the limit`;
  if (ofMemory === undefined)
    return `${shares}: reading is not the limit; in-memory hashing was not measured`;
  if (ofMemory >= NEAR) return `${shares}: hashing is the limit`;
  return `${shares}: neither alone is the limit`;
}

export function Limits({ answer, words }: Pick<Extra, "answer" | "words">) {
  const limits = limitsOf(answer, words);
  if (limits.length === 0) return null;
  return (
    <section className={styles.question}>
      <h3>What limits hashing while reading</h3>
      <ul>
        {limits.map((limit) => (
          <li key={limit.id}>
            <bdi>{limit.label}</bdi>
            {limit.published ? "†" : ""}: {uncapitalised(verdictOf(limit))}.
          </li>
        ))}
      </ul>
    </section>
  );
}
