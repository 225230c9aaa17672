import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { answerQuery, startingPointQuery } from "../api/queries";
import { startOf, TopicPage } from "../features/views/TopicPage";
import { orView, showsNothing, started, type Topic, viewIn } from "../features/views/view";
import { printClause } from "../links/clause";
import { parseQuestion, type Question, toSearch } from "../links/question";
import { printSearch, type SearchLists } from "../links/search";
import { Asked } from "./Asked";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Filters that the page chose to begin with, as an address has them: not the reader's own. */
    fixed?: string[];
  }
}

export function TopicRoute({ topic }: { topic: Topic }) {
  const search: SearchLists = useSearch({ from: topic.path });
  const navigate = useNavigate({ from: topic.path });
  const router = useRouter();
  const fixed = useLocation({ select: ({ state }) => state.fixed ?? NONE });
  const instead = (
    <Link to={topic.path} search={{}}>
      {startOf(topic)}
    </Link>
  );
  const open = (question: Question, chosen: string[]) => {
    // Whoever has gone on meanwhile, and waits for the next page, is not called back.
    const { pathname, search: latest } = router.latestLocation;
    if (pathname !== topic.path || printSearch(latest as SearchLists) !== printSearch(search))
      return;
    void navigate({ search: toSearch(question), state: { fixed: chosen }, replace: true });
  };
  return (
    <Asked read={() => orView(topic, parseQuestion(search), search.view?.[0])} instead={instead}>
      {(question) => (
        <>
          {search.metric ? null : <Opening topic={topic} question={question} onOpen={open} />}
          <TopicPage
            key={topic.path}
            topic={topic}
            question={question}
            fixed={fixed}
            opening={!search.metric}
            onAsk={(next) =>
              void navigate({ search: next, state: { fixed: [...fixed] }, resetScroll: false })
            }
          />
        </>
      )}
    </Asked>
  );
}

const NONE: readonly string[] = [];

interface OpeningProps {
  topic: Topic;
  question: Question;
  onOpen: (question: Question, fixed: string[]) => void;
}

/** Turns an address that asks nothing into one that asks what its view does. */
function Opening({ topic, question, onOpen }: OpeningProps) {
  const needed = new Set(viewIn(topic, question)?.needs?.map(printClause));
  const bare = question.where.every((clause) => needed.has(printClause(clause)));
  const start = useQuery({ ...startingPointQuery(question), enabled: bare });
  const next = useMemo(
    () => (start.data ? started(question, start.data) : question),
    [start.data, question],
  );
  const ready = !bare || start.isSuccess || start.isError;
  // Asked here, it is there when the page asks for it.
  const answer = useQuery({ ...answerQuery(next), enabled: ready });
  useEffect(() => {
    if (!ready || answer.isPending) return;
    // What most machines have may be what nothing was compared in: then all is shown.
    const found = answer.data && showsNothing(answer.data) ? question : next;
    const own = new Set(question.where.map(printClause));
    onOpen(
      found,
      found.where.map(printClause).filter((clause) => !own.has(clause)),
    );
  }, [ready, answer.isPending, answer.data, question, next, onOpen]);
  return null;
}
