import { useNavigate } from "@tanstack/react-router";
import { InvitationPage } from "../features/account/InvitationPage";
import { inFleet } from "../links/fleet";

export function InvitationRoute() {
  const navigate = useNavigate();
  const joined = (fleet: string | null) =>
    void (fleet === null
      ? navigate({ to: "/you" })
      : navigate({ to: "/machines", search: inFleet({}, fleet) }));
  return <InvitationPage onJoined={joined} />;
}
