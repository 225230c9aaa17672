import type { Question } from "../links/question";
import { CORES } from "../features/cores/cores";
import { POWER } from "../features/power/power";
import { STORAGE } from "../features/storage/storage";
import { THREADS } from "../features/threads/threads";
import { WORKLOADS } from "../features/workloads/workloads";
import { type Topic, type View, viewIn } from "../questions/view";

export const TOPICS: readonly Topic[] = [STORAGE, THREADS, CORES, POWER, WORKLOADS];

/** The page that asks questions of this kind, and its view; without a view, the first page. */
export function placeOf(question: Pick<Question, "metrics" | "by" | "relativeTo">): {
  topic: Topic;
  view: View | undefined;
} {
  for (const topic of TOPICS) {
    const view = viewIn(topic, question);
    if (view) return { topic, view };
  }
  return { topic: STORAGE, view: undefined };
}
