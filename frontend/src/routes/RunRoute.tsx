import { getRouteApi } from "@tanstack/react-router";
import { RunPage } from "../features/runs/RunPage";

const route = getRouteApi("/runs/$id");

export function RunRoute() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <RunPage
      id={id}
      search={route.useSearch()}
      onSearch={(search, how) => void navigate({ ...how, search, resetScroll: false })}
    />
  );
}
