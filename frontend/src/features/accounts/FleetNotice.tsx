import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { sessionQuery } from "../../api/session";
import { fleetAt, fleetPageOf } from "../../links/fleet";
import styles from "../../ui/Manage.module.css";

/**
 * Notice on each page with figures that only a fleet's members can see, with the way to the fleet.
 * The fleet's own page says so itself.
 */
export default function FleetNotice() {
  const name = useRouterState({
    select: ({ location }) =>
      fleetPageOf(location.pathname) === undefined ? fleetAt(location) : undefined,
  });
  const { data: session } = useQuery(sessionQuery);
  const fleet = session?.fleets.find((candidate) => candidate.name === name);
  if (!fleet || fleet.visibility === "public") return null;
  return (
    <p className={styles.scope} role="note">
      <strong>Private.</strong> Figures of{" "}
      <Link to="/fleets/$name" params={{ name: fleet.name }}>
        <bdi>{fleet.name}</bdi>
      </Link>
      , seen by its members only.
    </p>
  );
}
