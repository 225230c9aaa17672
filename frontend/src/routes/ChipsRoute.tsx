import { getRouteApi } from "@tanstack/react-router";
import { ChipsPage } from "../features/chips/ChipsPage";
import { useTitle } from "../ui/useTitle";

const route = getRouteApi("/chips");

export function ChipsRoute() {
  useTitle("Chips");
  return <ChipsPage family={route.useSearch().family?.[0]} />;
}
