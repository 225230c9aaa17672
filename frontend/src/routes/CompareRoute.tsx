import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { startingPointQuery } from "../api/queries";
import { ComparePage } from "../features/compare/ComparePage";
import { SavePanel } from "../features/comparisons/SavePanel";
import { START, START_QUESTION } from "../figures/sides/sideWords";
import { started } from "../questions/view";
import { parseSides, type Sides, sidesSearch } from "../links/sides";
import { Asked } from "./Asked";

const route = getRouteApi("/compare");

export function CompareRoute() {
  const search = route.useSearch();
  const isBare = !search.metric && !search.side;
  const start = useQuery({ ...startingPointQuery(START_QUESTION), enabled: isBare });
  const navigate = route.useNavigate();
  const instead = (
    <Link to="/compare" search={{}}>
      Start from storage
    </Link>
  );
  const read = () => {
    const sides = parseSides(search);
    return isBare ? startOf(start.data) : sides;
  };
  return (
    <Asked read={read} instead={instead}>
      {(sides) => (
        <ComparePage
          asked={sides}
          opening={isBare && start.isPending}
          onAsk={(next) => void navigate({ search: sidesSearch(next), resetScroll: false })}
          save={(question) => <SavePanel question={question} />}
        />
      )}
    </Asked>
  );
}

/**
 * The default sides, fixed to the most common values so that they compare similar machines. Not to
 * kinds of encryption: some storage has none of them, and like is compared with like anyway.
 */
function startOf(start: Parameters<typeof started>[1] | undefined): Sides {
  if (!start) return START;
  const ownCount = START_QUESTION.where.length;
  const where = started(START_QUESTION, start).where.slice(ownCount);
  return { ...START, where: where.filter(({ dimension }) => dimension !== "encryption") };
}
