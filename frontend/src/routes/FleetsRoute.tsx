import { useNavigate } from "@tanstack/react-router";
import { FleetsPage } from "../features/fleet-settings/FleetsPage";

export function FleetsRoute() {
  const navigate = useNavigate();
  return (
    <FleetsPage
      onMade={(name) => void navigate({ to: "/fleets/$name/settings", params: { name } })}
    />
  );
}
