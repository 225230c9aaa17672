import type { Question } from "../../links/question";

/** A view is a question with a name: everything else on the page follows from the question. */
export interface View {
  id: string;
  title: string;
  /** What it asks; filters and switches are the reader's. */
  preset: Pick<Question, "metrics" | "by" | "relativeTo" | "fit">;
  /** How to read it, what it can't tell. */
  about: string[];
}

/** A page of views that share their subject and their filters. */
export interface Topic {
  path: "/storage" | "/threads" | "/power";
  title: string;
  views: readonly [View, ...View[]];
  /** Filters that are open to begin with. */
  open: string[];
  /** The filters of an address that asks nothing. */
  where?: Question["where"];
}

type Shape = Pick<Question, "metrics" | "by" | "relativeTo">;

const sameList = (a: string[], b: string[]) => a.toSorted().join(" ") === b.toSorted().join(" ");

const AXES = ["file_size", "threads", "active_cores"];

/** Whether it is drawn along an axis and not as cases. */
export function hasAxis({ by }: Pick<Question, "by">): boolean {
  return AXES.some((axis) => by.includes(axis));
}

/** The view whose kind of question this is; none for a question that no view asks. */
export function viewIn(topic: Topic, question: Shape): View | undefined {
  return topic.views.find(
    ({ preset }) =>
      sameList(preset.metrics, question.metrics) &&
      AXES.every((axis) => preset.by.includes(axis) === question.by.includes(axis)) &&
      preset.relativeTo.length > 0 === question.relativeTo.length > 0,
  );
}

/** The view's question under the filters and switches of the one before. */
export function asked(view: View, question: Question): Question {
  const { metrics, by, where, weight, flagged } = { ...question, ...view.preset };
  const { relativeTo, fit } = view.preset;
  return { metrics, by, where, weight, flagged, relativeTo, ...(fit ? { fit } : {}) };
}

/** An address without metrics asks the first view's question; its own filters hold. */
export function orFirstView(topic: Topic, question: Question): Question {
  if (question.metrics.length > 0) return question;
  const where = question.where.length > 0 ? question.where : (topic.where ?? []);
  return asked(topic.views[0], { ...question, where });
}
