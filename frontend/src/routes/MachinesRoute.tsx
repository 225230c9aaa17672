import { getRouteApi, Link } from "@tanstack/react-router";
import { ProblemNotice } from "../features/answer/ProblemNotice";
import { MachinesPage } from "../features/machines/MachinesPage";
import { parseQuestion, type Question } from "../links/question";
import type { SearchLists } from "../links/search";
import { useTitle } from "../ui/useTitle";

const route = getRouteApi("/machines");

export function MachinesRoute() {
  useTitle("Machines");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const read = questionOf(search);
  if ("error" in read) {
    return (
      <ProblemNotice
        page
        error={read.error}
        ways={
          <Link to="/machines" search={{}}>
            Show all machines
          </Link>
        }
      />
    );
  }
  return (
    <MachinesPage
      question={read.question}
      search={search.q?.[0] ?? ""}
      cursor={search.cursor?.[0]}
      onAsk={(next) => void navigate({ search: next, resetScroll: false })}
    />
  );
}

function questionOf(search: SearchLists): { question: Question } | { error: unknown } {
  try {
    return { question: parseQuestion(search) };
  } catch (error) {
    return { error };
  }
}
