import { getRouteApi } from "@tanstack/react-router";
import { MachinePage } from "../features/machines/MachinePage";

const route = getRouteApi("/machines/$id");

export function MachineRoute() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <MachinePage
      key={id}
      id={id}
      search={route.useSearch()}
      onSearch={(search, how) => void navigate({ ...how, search, resetScroll: false })}
    />
  );
}
