import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { changeFleet, type Fleet } from "../../api/fleetSettings";
import { sessionQuery } from "../../api/session";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";
import { Section } from "../../ui/Section";

/** Whether this server's admins vouch for the fleet; only they can change it. */
export function Verified({ fleet }: { fleet: Fleet }) {
  const session = useQuery(sessionQuery);
  const saving = useChange(() => changeFleet(fleet.id, { verified: !fleet.verified }));
  if (!session.data?.person?.server_admin) return null;
  return (
    <Section id="verified" title={fleet.verified ? "Verified fleet" : "Not verified"}>
      <p>
        Verify a fleet if you know whose it is. Everybody can filter and group runs by trust:
        verified fleet, claimed or anonymous.
      </p>
      <p className={styles.actions}>
        <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
          {fleet.verified ? "Remove verification" : "Verify"}
        </Button>
      </p>
      <Failed error={saving.error} />
    </Section>
  );
}
