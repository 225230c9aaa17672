import { getRouteApi, Link } from "@tanstack/react-router";
import { ComparePage } from "../features/compare/ComparePage";
import { START } from "../features/compare/sideWords";
import type { SearchLists } from "../links/search";
import { parseSides, type Sides, sidesSearch } from "../links/sides";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

const route = getRouteApi("/compare");

export function CompareRoute() {
  useTitle("Compare");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const instead = (
    <Link to="/compare" search={{}}>
      Start from storage
    </Link>
  );
  return (
    <Asked read={() => sidesOf(search)} instead={instead}>
      {(sides) => (
        <ComparePage
          asked={sides}
          onAsk={(next) => void navigate({ search: sidesSearch(next), resetScroll: false })}
        />
      )}
    </Asked>
  );
}

function sidesOf(search: SearchLists): Sides {
  const sides = parseSides(search);
  return sides.sides.length + sides.metrics.length === 0 ? START : sides;
}
