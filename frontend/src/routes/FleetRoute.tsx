import { getRouteApi } from "@tanstack/react-router";
import { FleetPage } from "../features/fleets/FleetPage";

const route = getRouteApi("/fleets/$name");

export function FleetRoute() {
  const { name } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <FleetPage
      key={name}
      name={name}
      search={route.useSearch()}
      onSearch={(search) => void navigate({ search, resetScroll: false })}
    />
  );
}
