import { getRouteApi, Link } from "@tanstack/react-router";
import { ProblemNotice } from "../features/answer/ProblemNotice";
import { ResidencyPage } from "../features/power/ResidencyPage";
import { parseQuestion, type Question } from "../links/question";
import type { SearchLists } from "../links/search";
import { useTitle } from "../ui/useTitle";

const route = getRouteApi("/power/residency");

export function ResidencyRoute() {
  useTitle("Frequency by residency");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const read = questionOf(search);
  if ("error" in read) {
    return (
      <ProblemNotice
        page
        error={read.error}
        ways={
          <Link to="/power/residency" search={{}}>
            Show all samples
          </Link>
        }
      />
    );
  }
  return (
    <ResidencyPage
      question={read.question}
      active={search.active?.[0]}
      onAsk={(next) => void navigate({ search: next, resetScroll: false })}
    />
  );
}

/** An address that names no curve asks for the quadratic one; `fit=linear` for a line. */
function questionOf(search: SearchLists): { question: Question } | { error: unknown } {
  try {
    const question = parseQuestion(search);
    return { question: { ...question, fit: question.fit ?? "quadratic" } };
  } catch (error) {
    return { error };
  }
}
