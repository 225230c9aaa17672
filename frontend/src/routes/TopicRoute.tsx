import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { startOf, TopicPage } from "../features/views/TopicPage";
import { orFirstView, type Topic } from "../features/views/view";
import { parseQuestion } from "../links/question";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

export function TopicRoute({ topic }: { topic: Topic }) {
  useTitle(topic.title);
  const search = useSearch({ from: topic.path });
  const navigate = useNavigate({ from: topic.path });
  const instead = (
    <Link to={topic.path} search={{}}>
      {startOf(topic)}
    </Link>
  );
  return (
    <Asked read={() => orFirstView(topic, parseQuestion(search))} instead={instead}>
      {(question) => (
        <TopicPage
          key={topic.path}
          topic={topic}
          question={question}
          onAsk={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </Asked>
  );
}
