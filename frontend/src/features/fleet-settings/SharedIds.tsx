import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { Link } from "@tanstack/react-router";
import { clonesQuery, settleClone } from "../../api/fleetSettings";
import { Section } from "../../ui/Section";
import { counted, moment, shortId } from "../../ui/format";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";

/** Machine ids that several Macs may share, for an admin to decide; hidden if there are none. */
export function SharedIds({ fleet }: { fleet: string }) {
  const query = clonesQuery(fleet);
  const clones = useQuery(query);
  const settling = useChange(
    ({ id, are }: { id: string; are: "one" | "several" }) => settleClone(fleet, id, are),
    query.queryKey,
  );
  if (!clones.data?.items.length) return null;
  return (
    <Section id="shared" title="Same id, several Macs?">
      <p>
        These ids enrolled again without their token. A Mac that was erased and restored does that
        once. Macs set up from one disk image do it over and over. Either choice can be changed
        while the line is here; a wrong “one Mac” brings the line back.
      </p>
      <ul>
        {clones.data.items.map(({ machine_id, name, enrolments, last_at, new_ids }) => (
          <li key={machine_id} className={styles.row}>
            <div>
              <Link to="/machines/$id" params={{ id: machine_id }} title={machine_id}>
                <bdi>{name ?? shortId(machine_id)}</bdi>
              </Link>
              <span className={styles.under}>
                {counted(enrolments, "attempt")}, last {moment(last_at)}
                {new_ids ? " · copies now get ids of their own; choose “one Mac” to undo" : ""}
              </span>
            </div>
            <div className={styles.actions}>
              <Confirmed
                label="It’s one Mac"
                confirm="Let it enrol again"
                about={name ?? shortId(machine_id)}
                isBusy={settling.isPending}
                onConfirm={() => settling.mutate({ id: machine_id, are: "one" })}
              />
              {new_ids ? null : (
                <Confirmed
                  label="They’re copies"
                  confirm="Give the copies ids of their own"
                  about={name ?? shortId(machine_id)}
                  isBusy={settling.isPending}
                  onConfirm={() => settling.mutate({ id: machine_id, are: "several" })}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      <Failed error={settling.error} />
    </Section>
  );
}
