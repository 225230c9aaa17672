import { getRouteApi } from "@tanstack/react-router";
import { DuplicatesPage } from "../features/fleet-settings/DuplicatesPage";

const route = getRouteApi("/fleets/$name/duplicates");

export function FleetDuplicatesRoute() {
  const { name } = route.useParams();
  return <DuplicatesPage key={name} name={name} />;
}
