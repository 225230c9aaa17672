import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ProblemNotice } from "../features/answer/ProblemNotice";
import { startOf, TopicPage } from "../features/views/TopicPage";
import { orFirstView, type Topic } from "../features/views/view";
import { parseQuestion, type Question } from "../links/question";
import type { SearchLists } from "../links/search";
import { useTitle } from "../ui/useTitle";

export function TopicRoute({ topic }: { topic: Topic }) {
  useTitle(topic.title);
  const search = useSearch({ from: topic.path });
  const navigate = useNavigate({ from: topic.path });
  const read = questionOf(topic, search);
  if ("error" in read) {
    return (
      <ProblemNotice
        page
        error={read.error}
        ways={
          <Link to={topic.path} search={{}}>
            {startOf(topic)}
          </Link>
        }
      />
    );
  }
  return (
    <TopicPage
      key={topic.path}
      topic={topic}
      question={read.question}
      onAsk={(next) => void navigate({ search: next, resetScroll: false })}
    />
  );
}

function questionOf(
  topic: Topic,
  search: SearchLists,
): { question: Question } | { error: unknown } {
  try {
    return { question: orFirstView(topic, parseQuestion(search)) };
  } catch (error) {
    return { error };
  }
}
