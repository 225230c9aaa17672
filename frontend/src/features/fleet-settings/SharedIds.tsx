import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clonesQuery, settleClone } from "../../api/fleetSettings";
import { counted, moment } from "../../ui/format";
import { Failed } from "../../ui/Failed";
import styles from "./settings.module.css";

/** Shown only while an id waits for a decision: a line each, however many Macs share it. */
export function SharedIds({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const query = clonesQuery(fleet);
  const clones = useQuery(query);
  const settling = useMutation({
    mutationFn: ({ id, are }: { id: string; are: "one" | "several" }) =>
      settleClone(fleet, id, are),
    onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  if (!clones.data?.items.length) return null;
  return (
    <section className={styles.section} aria-labelledby="shared">
      <h2 id="shared">Same id, several Macs?</h2>
      <p>
        These ids enrolled again without their token. A Mac that was erased and restored does that
        once. Macs set up from one disk image do it over and over.
      </p>
      <ul>
        {clones.data.items.map(({ machine_id, name, enrolments, last_at, new_ids }) => (
          <li key={machine_id} className={styles.row}>
            <div>
              <Link to="/machines/$id" params={{ id: machine_id }} title={machine_id}>
                <bdi>{name ?? "Mac"}</bdi>
              </Link>
              <span className={styles.under}>
                {counted(enrolments, "attempt")}, last {moment(last_at)}
                {new_ids ? " · copies now get ids of their own" : ""}
              </span>
            </div>
            <div className={styles.actions}>
              <button
                type="button"
                className="button"
                disabled={settling.isPending}
                onClick={() => settling.mutate({ id: machine_id, are: "one" })}
              >
                It’s one Mac
              </button>
              <button
                type="button"
                className="button"
                disabled={settling.isPending || new_ids}
                onClick={() => settling.mutate({ id: machine_id, are: "several" })}
              >
                They’re copies
              </button>
            </div>
          </li>
        ))}
      </ul>
      <Failed error={settling.error} />
    </section>
  );
}
