import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  deleteFleet,
  type Deletion as Asked,
  type Fleet,
  fleetsQuery,
} from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { counted } from "../../ui/format";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";

type Fate = Asked["runs"];

/** Deletion of a fleet: asks what to do with the runs, and for the name. */
export function Deletion({ fleet, onGone }: { fleet: Fleet; onGone: () => void }) {
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const [runs, setRuns] = useState<Fate>("delete");
  const [to, setTo] = useState("");
  const [agrees, setAgrees] = useState(false);
  const [name, setName] = useState("");
  const others = (useQuery(fleetsQuery).data?.items ?? []).filter(
    ({ id, role }) => id !== fleet.id && role === "admin",
  );
  const deleting = useMutation({
    mutationFn: () =>
      deleteFleet(fleet.id, {
        name,
        runs,
        ...(runs === "move" ? { to } : {}),
        ...(runs === "publish" ? { consent: agrees } : {}),
      }),
    onSuccess: () => {
      queries.clear();
      onGone();
    },
  });

  const choose = (fate: Fate, label: string, about: string) => (
    <label className={styles.choice}>
      <input type="radio" name="runs" checked={runs === fate} onChange={() => setRuns(fate)} />
      {label}
      <span className={styles.under}>{about}</span>
    </label>
  );
  return (
    <Section id="deletion" title="Delete fleet">
      <p>
        {counted(fleet.machines, "Mac")} can no longer upload to it. Its secrets and memberships are
        deleted. You can’t undo this.
      </p>
      {isAsked ? (
        <Form className={styles.section} onSubmit={() => deleting.mutate()}>
          <div role="radiogroup" aria-label="What happens to its runs">
            {choose("delete", "Delete the runs", "Share links lose the figures that need them.")}
            {others.length > 0
              ? choose(
                  "move",
                  "Move to another fleet",
                  "Its Macs move too and keep uploading there.",
                )
              : null}
            {choose("publish", "Publish the runs", "Everybody sees them, under CC0 1.0.")}
          </div>
          {runs === "publish" ? (
            <label className={`${styles.choice} ${styles.warning}`}>
              <input
                type="checkbox"
                required
                checked={agrees}
                onChange={(event) => setAgrees(event.target.checked)}
              />
              Everybody may use, copy and publish these runs under CC0 1.0, for good.
            </label>
          ) : null}
          <div className={styles.inline}>
            {runs === "move" ? (
              <label>
                To
                <select
                  className="field"
                  required
                  value={to}
                  onChange={(event) => setTo(event.target.value)}
                >
                  <option value="">Choose a fleet</option>
                  {others.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.name}
                    </option>
                  ))}
                </select>
              </label>
            ) : null}
            <label>
              Type “{fleet.name}” to confirm
              <input
                className="field"
                required
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
            <Button submit primary disabled={name !== fleet.name || deleting.isPending}>
              Delete permanently
            </Button>
            <Button asText onClick={() => setIsAsked(false)}>
              Cancel
            </Button>
          </div>
          <Failed error={deleting.error} />
        </Form>
      ) : (
        <p className={styles.actions}>
          <Button onClick={() => setIsAsked(true)}>Delete this fleet</Button>
        </p>
      )}
    </Section>
  );
}
