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

/** Links to the topic's views and pages, keeping the filters that apply there. */
export function TopicNav({ topic, question: shown, fixed, words, current }: Props) {
  const question = {
    ...shown,
    where: shown.where.filter((clause) => !fixed?.includes(printClause(clause))),
  };
  const row = useCurrentInView<HTMLElement>();
  const speaksOf = (dimension: string, metrics: string[]) =>
    metrics.some((metric) => words?.speaksOf(metric, dimension) ?? true);
  const ofRuns = question.where.filter(
    ({ dimension }) => words?.dimension(dimension)?.of !== "sample",
  );
  return (
    <nav
      aria-label={`Views of ${topic.title.toLowerCase()}`}
      className={`row ${styles.views}`}
      ref={row}
    >
      {topic.views.map((one, place) => (
        <Link
          key={one.id}
          className={
            subjectOf(one) && subjectOf(one) === subjectOf(topic.views[place - 1])
              ? styles.further
              : undefined
          }
          to={topic.path}
          search={{
            ...toSearch({ ...asked(one, question, topic, speaksOf), ...NOTHING }),
            view: [one.id],
          }}
          activeOptions={{ exact: true }}
          aria-current={one.id === current ? "page" : undefined}
        >
          {subjectOf(one) ? <span className={styles.subject}>{subjectOf(one)}</span> : null}
          {one.title.slice(subjectOf(one).length)}
        </Link>
      ))}
      {topic.pages?.map(({ path, title }) => (
        <Link
          key={path}
          to={path}
          search={toSearch({ ...question, metrics: [], by: [], relativeTo: [], where: ofRuns })}
          aria-current={path === current ? "page" : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** "Low Power Mode: ", the prefix of a title that several views share and a row shows once. */
function subjectOf(view: View | undefined): string {
  return /^[^:]+: /.exec(view?.title ?? "")?.[0] ?? "";
}

/** The link names the view, so only filters and switches are passed on. */
const NOTHING = { metrics: [], by: [], relativeTo: [], fit: undefined };
