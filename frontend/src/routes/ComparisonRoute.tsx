import { getRouteApi } from "@tanstack/react-router";
import { ComparisonPage } from "../features/comparisons/ComparisonPage";

const route = getRouteApi("/c/$slug");

export function ComparisonRoute() {
  const { slug } = route.useParams();
  const live = route.useSearch().live?.[0] === "1";
  return <ComparisonPage key={slug} slug={slug} live={live} />;
}
