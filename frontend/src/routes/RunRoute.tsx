import { getRouteApi } from "@tanstack/react-router";
import { RunPage } from "../features/runs/RunPage";

const route = getRouteApi("/runs/$id");

export function RunRoute() {
  const { id } = route.useParams();
  return <RunPage id={id} />;
}
