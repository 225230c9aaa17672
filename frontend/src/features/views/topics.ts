import type { Question } from "../../links/question";
import { CORES } from "../cores/cores";
import { POWER } from "../power/power";
import { STORAGE } from "../storage/storage";
import { THREADS } from "../threads/threads";
import { WORKLOADS } from "../workloads/workloads";
import { type Topic, type View, viewIn } from "./view";

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
