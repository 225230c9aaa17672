import type { RefusedEnrolment } from "../../api/fleetSettings";
import { counted, moment, shortId } from "../../ui/format";
import styles from "../../ui/Manage.module.css";

/** What keeps a Mac from its fleet, by the code of the refusal. */
const WHY: Record<string, string> = {
  secret_revoked: "its secret was revoked: give it another one",
  secret_expired: "its secret has expired: give it another one",
  secret_used_up: "its secret has reached its limit of Macs",
  machine_bound: "its id is another Mac’s, or it no longer has the token of this one",
  machine_merged: "its id was merged into another one",
  machine_barred: "it was revoked: allow it again, or look for it",
  machine_retired: "it was retired: bring it back, or uninstall its agent",
};

/** Macs that tried to enrol and could not; hidden if there are none. */
export function Refused({ refused }: { refused: RefusedEnrolment[] }) {
  if (refused.length === 0) return null;
  return (
    <>
      <h3 id="refused">Refused enrolments</h3>
      <ul aria-labelledby="refused">
        {refused.map(({ machine_id, name, code, secret, times, last_at }) => (
          <li key={machine_id} className={styles.row}>
            <div>
              <bdi>{name ?? `Mac ${shortId(machine_id)}`}</bdi>: {WHY[code] ?? code}
              <span className={styles.under}>
                <bdi>{secret}</bdi> · {counted(times, "attempt")}, last {moment(last_at)}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
