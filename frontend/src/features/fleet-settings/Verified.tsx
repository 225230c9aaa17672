import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { changeFleet, type Fleet } from "../../api/fleetSettings";
import { sessionQuery } from "../../api/session";
import { Failed } from "../../ui/Failed";
import styles from "./settings.module.css";

/** Whether this server's admins vouch for the fleet; only they can change it. */
export function Verified({ fleet }: { fleet: Fleet }) {
  const session = useQuery(sessionQuery);
  const saving = useChange(() => changeFleet(fleet.id, { verified: !fleet.verified }));
  if (!session.data?.person?.server_admin) return null;
  return (
    <section className={styles.section} aria-labelledby="verified">
      <h2 id="verified">{fleet.verified ? "Verified fleet" : "Not verified"}</h2>
      <p>
        Verify a fleet if you know whose it is. Everybody can filter and group runs by trust:
        verified fleet, claimed or anonymous.
      </p>
      <p className={styles.actions}>
        <button
          type="button"
          className="button"
          disabled={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {fleet.verified ? "Remove verification" : "Verify"}
        </button>
      </p>
      <Failed error={saving.error} />
    </section>
  );
}
