import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { sessionQuery } from "../../api/session";
import { fleetOf } from "../../links/fleet";
import type { SearchLists } from "../../links/search";
import styles from "./account.module.css";

/** Notice on each page with figures that only a fleet's members can see. */
export default function FleetNotice() {
  const name = useRouterState({
    select: ({ location }) => fleetOf(location.search as SearchLists),
  });
  const { data: session } = useQuery(sessionQuery);
  const fleet = session?.fleets.find((one) => one.name === name);
  if (!fleet || fleet.visibility === "public") return null;
  return (
    <p className={styles.scope} role="note">
      <strong>Private.</strong> Figures of <bdi>{fleet.name}</bdi>, seen by its members only.
    </p>
  );
}
