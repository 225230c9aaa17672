import { getRouteApi, Link } from "@tanstack/react-router";
import { RunsPage } from "../features/runs/RunsPage";
import { parseQuestion } from "../links/question";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

const route = getRouteApi("/runs");

export function RunsRoute() {
  useTitle("Runs");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const instead = (
    <Link to="/runs" search={{}}>
      Show all runs
    </Link>
  );
  return (
    <Asked read={() => parseQuestion(search)} instead={instead}>
      {(question) => (
        <RunsPage
          question={question}
          cursor={search.cursor?.[0]}
          onAsk={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </Asked>
  );
}
