import { Link } from "@tanstack/react-router";
import { type Question, toSearch } from "../../links/question";
import { useCurrentInView } from "../../ui/useCurrentInView";
import type { Words } from "../answer/words";
import styles from "./Page.module.css";
import { asked, type Topic } from "./view";

interface Props {
  topic: Topic;
  question: Question;
  words: Words | undefined;
  /** The view or the page that is shown. */
  current: string | undefined;
}

/** The topic's views and further pages, each under the filters in force as far as it has them. */
export function TopicNav({ topic, question, words, current }: Props) {
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
      {topic.views.map((one) => (
        <Link
          key={one.id}
          to={topic.path}
          search={toSearch(asked(one, question, topic, speaksOf))}
          activeOptions={{ exact: true }}
          aria-current={one.id === current ? "page" : undefined}
        >
          {one.title}
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
