import { useNavigate } from "@tanstack/react-router";
import type { InvitedTo } from "../api/session";
import { InvitationPage } from "../features/accounts/InvitationPage";
import { inFleet } from "../links/fleet";

export function InvitationRoute() {
  return <InvitationPage path="/invitations" onJoined={useJoined()} />;
}

export function ClaimRoute() {
  return <InvitationPage path="/claim" onJoined={useJoined()} />;
}

/** Navigate to what the accepted link gives access to. */
function useJoined() {
  const navigate = useNavigate();
  return ({ purpose, fleet }: InvitedTo) => {
    if (purpose === "claim") void navigate({ to: "/my-macs" });
    else if (fleet === null) void navigate({ to: "/you" });
    else void navigate({ to: "/machines", search: inFleet({}, fleet) });
  };
}
