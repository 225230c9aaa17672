import { getRouteApi } from "@tanstack/react-router";
import { ComparisonPage } from "../features/comparisons/ComparisonPage";
import { TOPICS } from "./topics";

const route = getRouteApi("/c/$slug");

export function ComparisonRoute() {
  const { slug } = route.useParams();
  const { live, both } = route.useSearch();
  const mode = both?.[0] === "1" ? "both" : live?.[0] === "1" ? "live" : "frozen";
  return <ComparisonPage key={slug} slug={slug} topics={TOPICS} shown={mode} />;
}
