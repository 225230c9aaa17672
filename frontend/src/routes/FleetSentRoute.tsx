import { getRouteApi } from "@tanstack/react-router";
import { SentPage } from "../features/fleets/SentPage";

const route = getRouteApi("/fleets/$name/sent");

export function FleetSentRoute() {
  const { name } = route.useParams();
  return <SentPage key={name} name={name} />;
}
