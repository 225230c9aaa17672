import { getRouteApi, Link } from "@tanstack/react-router";
import { ProblemNotice } from "../features/answer/ProblemNotice";
import { ComparePage } from "../features/compare/ComparePage";
import { START } from "../features/compare/sideWords";
import type { SearchLists } from "../links/search";
import { parseSides, type Sides, sidesSearch } from "../links/sides";
import { useTitle } from "../ui/useTitle";

const route = getRouteApi("/compare");

export function CompareRoute() {
  useTitle("Compare");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const read = sidesIn(search);
  if ("error" in read) {
    return (
      <ProblemNotice
        page
        error={read.error}
        ways={
          <Link to="/compare" search={{}}>
            Start from storage
          </Link>
        }
      />
    );
  }
  return (
    <ComparePage
      asked={read.sides}
      onAsk={(next) => void navigate({ search: sidesSearch(next), resetScroll: false })}
    />
  );
}

function sidesIn(search: SearchLists): { sides: Sides } | { error: unknown } {
  try {
    const sides = parseSides(search);
    return { sides: sides.sides.length + sides.metrics.length === 0 ? START : sides };
  } catch (error) {
    return { error };
  }
}
