import { getRouteApi, Link } from "@tanstack/react-router";
import { ResidencyPage } from "../features/power/ResidencyPage";
import { parseQuestion, type Question } from "../links/question";
import type { SearchLists } from "../links/search";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

const route = getRouteApi("/power/residency");

export function ResidencyRoute() {
  useTitle("Frequency by residency");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const instead = (
    <Link to="/power/residency" search={{}}>
      Show all samples
    </Link>
  );
  return (
    <Asked read={() => questionOf(search)} instead={instead}>
      {(question) => (
        <ResidencyPage
          question={question}
          active={search.active?.[0]}
          onAsk={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </Asked>
  );
}

/** An address that names no curve asks for the quadratic one; `fit=linear` for a line. */
function questionOf(search: SearchLists): Question {
  const question = parseQuestion(search);
  return { ...question, fit: question.fit ?? "quadratic" };
}
