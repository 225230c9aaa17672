import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { SettingsPage } from "../features/fleet-settings/SettingsPage";

const route = getRouteApi("/fleets/$name/settings");

export function FleetSettingsRoute() {
  const { name } = route.useParams();
  const navigate = useNavigate();
  return (
    <SettingsPage
      name={name}
      onRenamed={(renamed) =>
        void navigate({
          to: "/fleets/$name/settings",
          params: { name: renamed },
          replace: true,
        })
      }
      onGone={() => void navigate({ to: "/fleets" })}
    />
  );
}
