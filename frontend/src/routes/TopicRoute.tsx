import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { answerQuery, facetsQuery, startingPointQuery } from "../api/queries";
import { filtersQuery } from "../figures/filters";
import { type Opening, openingOf } from "../questions/opening";
import { startOf, TopicPage } from "../views/TopicPage";
import { lacking } from "../questions/reasked";
import { questionsOf, type Topic, type View } from "../questions/view";
import { printClause } from "../links/clause";
import { parseQuestion, printQuestion, type Question, toSearch } from "../links/question";
import { printSearch, type SearchLists } from "../links/search";
import { Asked } from "./Asked";
import { TOPICS } from "./topics";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Filters chosen by the page rather than the reader, as printed in addresses. */
    fixed?: string[];
    /** Number of cases that these leave out. */
    hidden?: number;
    /** Filters of a picked question with which it would be empty, as printed in addresses. */
    dropped?: string[];
    /** The view that the reader regrouped. */
    view?: string;
    /** Whether the page chose this question: if it isn't whole, the server says why. */
    opened?: boolean;
  }
}

export function TopicRoute({ topic }: { topic: Topic }) {
  const search: SearchLists = useSearch({ from: topic.path });
  const navigate = useNavigate({ from: topic.path });
  const view = useLocation({ select: ({ state }) => state.view });
  const opened = useLocation({ select: ({ state }) => state.opened });
  const router = useRouter();
  const fixed = useLocation({ select: ({ state }) => state.fixed ?? NONE });
  const hidden = useLocation({ select: ({ state }) => state.hidden ?? 0 });
  const dropped = useLocation({ select: ({ state }) => state.dropped ?? NONE });
  const instead = (
    <Link to={topic.path} search={{}}>
      {startOf(topic)}
    </Link>
  );
  const read = useCallback(
    () => questionsOf(topic, parseQuestion(search), search.view?.[0], search.group),
    [topic, search],
  );
  const { sort } = search;
  const ask = useCallback(
    (next: SearchLists, path: Topic["path"] = topic.path) => {
      // Filters keep the rows' order; another view, metric or grouping has its own.
      const isOther = next.view !== undefined || next.group !== undefined;
      void navigate({
        to: path,
        search: isOther || !sort ? next : { ...next, sort },
        state: { fixed: [...fixed], view: isOther ? undefined : view },
        resetScroll: path !== topic.path,
      });
    },
    [navigate, topic, sort, fixed, view],
  );
  const open = ({ question, fixed: chosen, hidden: lost = 0 }: Opening, asked: Question) => {
    // Don't bring back a reader who has moved on in the meantime.
    const { pathname, search: latest } = router.latestLocation;
    if (pathname !== topic.path || printSearch(latest as SearchLists) !== printSearch(search))
      return;
    const sorted = sort ?? sortOf(topic, search);
    const kept = new Set(question.where.map(printClause));
    void navigate({
      search: { ...toSearch(question), ...(sorted ? { sort: sorted } : {}) },
      state: {
        fixed: [...chosen, ...fixed.filter((text) => kept.has(text))],
        hidden: lost,
        dropped: search.group
          ? asked.where.map(printClause).filter((text) => !kept.has(text) && !fixed.includes(text))
          : [],
        view: search.group ? search.view?.[0] : view,
        opened: true,
      },
      replace: true,
    });
  };
  return (
    <Asked read={read} instead={instead}>
      {(questions) => {
        const [question] = questions;
        const picked = search.group !== undefined;
        const isWhole = opened || lacking(question).length === 0;
        const opening = !search.metric || picked || !isWhole;
        return (
          <>
            {opening ? (
              <Opens
                topic={topic}
                questions={questions}
                view={topic.views.find(({ id }) => id === search.view?.[0])}
                picked={picked}
                onOpen={(chosen) => open(chosen, question)}
              />
            ) : null}
            <TopicPage
              key={topic.path}
              topic={topic}
              topics={TOPICS}
              question={question}
              fixed={fixed}
              hidden={hidden}
              dropped={dropped}
              named={search.view?.[0] ?? view}
              opening={opening}
              onAsk={ask}
            />
          </>
        );
      }}
    </Asked>
  );
}

const NONE: readonly string[] = [];

/** The named view's initial sort. */
function sortOf({ views }: Topic, { view }: SearchLists): string[] | undefined {
  const sort = views.find(({ id }) => id === view?.[0])?.sort;
  return sort ? [sort] : undefined;
}

/** All runs of Macs. */
const MEASURED = parseQuestion({ where: ["source!:published"], flagged: ["include"] });

interface OpensProps {
  topic: Topic;
  questions: [Question, ...Question[]];
  view: View | undefined;
  picked: boolean;
  onOpen: (opening: Opening) => void;
}

/** Replace an address that isn't a whole question with the one that its page chooses. */
function Opens({ topic, questions, view, picked, onOpen }: OpensProps) {
  const queries = useQueryClient();
  const tellFilters = async ({ where }: Question) => {
    if (where.length > 0) await queries.prefetchQuery(filtersQuery(where));
  };
  const { data, error } = useQuery({
    queryKey: ["opening", topic.path, view?.id, picked, questions.map(printQuestion)],
    // Fetching here caches the answer for the page, and beside it the texts of its filters: chips
    // whose text changes would wrap differently and move the page below them.
    queryFn: async () => {
      const opening = await openingOf(
        topic,
        questions,
        {
          start: (question) => queries.fetchQuery(startingPointQuery(question)),
          answer: (question) => {
            void tellFilters(question);
            return queries.fetchQuery(answerQuery(question));
          },
          facets: (question) => queries.fetchQuery(facetsQuery(question)),
          measured: async () => (await queries.fetchQuery(facetsQuery(MEASURED))).total > 0,
        },
        { view, picked },
      );
      await tellFilters(opening.question);
      return opening;
    },
  });
  // If opening fails, ask the first view's question, which shows the error.
  const [question] = questions;
  const opening = data ?? (error ? { question, fixed: [] } : undefined);
  useEffect(() => {
    if (opening) onOpen(opening);
  });
  return null;
}
