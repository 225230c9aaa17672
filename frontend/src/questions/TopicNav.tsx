import { Link } from "@tanstack/react-router";
import { printClause } from "../links/clause";
import { type Question, toSearch } from "../links/question";
import { useCurrentInView } from "../ui/useCurrentInView";
import type { Words } from "../figures/words";
import styles from "../ui/Page.module.css";
import { asked, type Topic, type View } from "./view";

interface Props {
  topic: Topic;
  question: Question;
  /** Filters that the page chose itself: another view chooses its own. */
  fixed?: readonly string[];
  words: Words | undefined;
  /** The current view or page. */
  current: string | undefined;
}

/** Links to the topic's views and pages, if several, keeping the filters that apply there. */
export function TopicNav({ topic, question: shown, fixed, words, current }: Props) {
  const question = {
    ...shown,
    where: shown.where.filter((clause) => !fixed?.includes(printClause(clause))),
  };
  const row = useCurrentInView<HTMLDivElement>();
  const speaksOf = (dimension: string, metrics: string[]) =>
    metrics.some((metric) => words?.speaksOf(metric, dimension) ?? true);
  const filters = question.where.filter(
    ({ dimension }) => words?.dimension(dimension)?.of !== "sample",
  );
  if (topic.views.length + (topic.pages?.length ?? 0) < 2) return null;
  const subject = subjectOf(topic.views.find(({ id }) => id === current));
  const link = (tab: View, text: string, isCurrent: "page" | "true" | undefined) => (
    <Link
      key={tab.id}
      to={topic.path}
      search={{
        ...toSearch({ ...asked(tab, question, topic, speaksOf), ...NOTHING }),
        view: [tab.id],
      }}
      activeOptions={{ exact: true }}
      aria-current={isCurrent}
    >
      {text}
    </Link>
  );
  return (
    <nav aria-label={`Views of ${topic.title.toLowerCase()}`}>
      <div className={`row ${styles.views}`} ref={row}>
        {topic.views.map((tab, index) => {
          const tabSubject = subjectOf(tab);
          if (!tabSubject) return link(tab, tab.title, tab.id === current ? "page" : undefined);
          // Views of one subject share a tab, which leads to the first.
          if (tabSubject === subjectOf(topic.views[index - 1])) return null;
          return link(tab, tabSubject, tabSubject === subject ? "true" : undefined);
        })}
        {topic.pages?.map(({ path, title }) => (
          <Link
            key={path}
            to={path}
            search={toSearch({ ...question, metrics: [], by: [], relativeTo: [], where: filters })}
            aria-current={path === current ? "page" : undefined}
          >
            {title}
          </Link>
        ))}
      </div>
      {subject ? (
        <div className={`row ${styles.within}`}>
          {topic.views
            .filter((tab) => subjectOf(tab) === subject)
            .map((tab) => link(tab, within(tab, subject), tab.id === current ? "page" : undefined))}
        </div>
      ) : null}
    </nav>
  );
}

/** "Low Power Mode", the subject that several views share; empty without one. */
function subjectOf(view: View | undefined): string {
  return /^([^:]+): /.exec(view?.title ?? "")?.[1] ?? "";
}

/** "Power by threads" of "Scaling: power by threads". */
function within({ title }: View, subject: string): string {
  const rest = title.slice(subject.length + 2);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The link names the view, so only filters and switches are passed on. */
const NOTHING = { metrics: [], by: [], relativeTo: [] };
