import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { startingPointQuery } from "../api/queries";
import { ResidencyPage } from "../features/power/ResidencyPage";
import { started } from "../questions/view";
import { printClause } from "../links/clause";
import { parseQuestion, readQuestion } from "../links/question";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

const route = getRouteApi("/power/residency");

export function ResidencyRoute() {
  useTitle("Frequency by residency");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const fixed = useLocation({ select: ({ state }) => state.fixed });
  const opening = fixed === undefined && !search.where && !search.active;
  const start = useQuery({ ...startingPointQuery(FREQUENCY), enabled: opening });
  useEffect(() => {
    // Don't bring back a reader who has moved on in the meantime.
    if (!opening || start.isPending || router.latestLocation.pathname !== route.id) return;
    const first = (start.data?.fixed ?? []).filter(({ dimension }) => CHARTS.has(dimension));
    const where = started(NOTHING, { fixed: first }).where.map(printClause);
    void navigate({ search: { ...search, where }, state: { fixed: where }, replace: true });
  }, [opening, start.isPending, start.data, search, navigate, router]);
  const instead = (
    <Link to="/power/residency" search={{}}>
      Start again
    </Link>
  );
  return (
    <Asked read={() => parseQuestion(search)} instead={instead}>
      {(question) => (
        <ResidencyPage
          question={question}
          active={search.active?.[0]}
          fixed={fixed ?? []}
          opening={opening}
          onAsk={(next) =>
            void navigate({
              search: next,
              state: { fixed: [...(fixed ?? [])] },
              resetScroll: false,
            })
          }
        />
      )}
    </Asked>
  );
}

const NOTHING = readQuestion("");
/**
 * The question for its starting point: a chart per chip and power mode would fill thirty screens.
 */
const FREQUENCY = readQuestion(
  "metric=cores.frequency&by=active_cores&by=tier&where=source!:published",
);
const CHARTS = new Set(["chip", "power_mode"]);
