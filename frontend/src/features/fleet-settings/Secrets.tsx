import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import {
  createSecret,
  type EnrolmentSecret,
  revokeSecret,
  secretsQuery,
} from "../../api/fleetSettings";
import { CopyButton } from "../../ui/CopyButton";
import { count, day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Confirmed } from "./Confirmed";
import { Failed } from "../../ui/Failed";
import styles from "./settings.module.css";

/** What Macs enrol with. Each secret is shown once, with what to run. */
export function Secrets({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const query = secretsQuery(fleet);
  const secrets = useQuery(query);
  const changed = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const revoking = useMutation({
    mutationFn: (id: string) => revokeSecret(fleet, id),
    onSuccess: changed,
  });
  return (
    <section className={styles.section} aria-labelledby="secrets">
      <h2 id="secrets">Enrolment secrets</h2>
      <p>A Mac that enrols with a secret gets a token of its own. Revoking a secret keeps them.</p>
      {secrets.error ? <ProblemNotice error={secrets.error} /> : null}
      <ul>
        {secrets.data?.items.map((secret) => (
          <li key={secret.id} className={styles.row}>
            <div>
              <bdi>{secret.name}</bdi>
              <span className={styles.under}>{aboutSecret(secret)}</span>
            </div>
            <div className={styles.actions}>
              {secret.revoked_at ? null : (
                <Confirmed
                  label="Revoke"
                  confirm="Revoke this secret"
                  about={secret.name}
                  isBusy={revoking.isPending}
                  onConfirm={() => revoking.mutate(secret.id)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      <Failed error={revoking.error} />
      <Making fleet={fleet} onMade={changed} />
    </section>
  );
}

function aboutSecret({ used, quota, expires_at, revoked_at }: EnrolmentSecret): string {
  const macs =
    quota === null ? `${count(used)} Macs enrolled` : `${count(used)} of ${count(quota)} Macs`;
  if (revoked_at) return `${macs} · revoked on ${day(revoked_at)}`;
  const isOver = expires_at !== null && new Date(expires_at) <= new Date();
  const until = expires_at ? `${isOver ? "expired on" : "until"} ${day(expires_at)}` : "no expiry";
  return `${macs} · ${until}`;
}

function Making({ fleet, onMade }: { fleet: string; onMade: () => void }) {
  const [name, setName] = useState("");
  const [quota, setQuota] = useState("");
  const [expires, setExpires] = useState("");
  const making = useMutation({
    mutationFn: () =>
      createSecret(fleet, {
        name,
        quota: quota === "" ? null : Number(quota),
        // The whole of the chosen day still counts.
        expires_at: expires === "" ? null : `${expires}T23:59:59Z`,
      }),
    onSuccess: () => {
      setName("");
      onMade();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <>
      <form className={styles.inline} onSubmit={submit}>
        <label>
          Name
          <input
            className="field"
            required
            maxLength={60}
            placeholder="Office Macs"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label>
          Macs at most
          <input
            className={`field ${styles.number}`}
            type="number"
            min={1}
            max={1_000_000}
            placeholder="No limit"
            value={quota}
            onChange={(event) => setQuota(event.target.value)}
          />
        </label>
        <label>
          Expires (optional)
          <input
            className="field"
            type="date"
            value={expires}
            onChange={(event) => setExpires(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={making.isPending}>
          Create secret
        </button>
      </form>
      <Failed error={making.error} />
      {making.data ? <Made {...making.data} /> : null}
    </>
  );
}

/** The one time that it is shown: what to run on a Mac, and what to deliver to many. */
function Made({ secret, command }: { secret: string; command: string }) {
  const preferences = JSON.stringify(
    { server: window.location.origin, secret, accept: true, schedule: "week" },
    null,
    2,
  );
  return (
    <div className={styles.secret} role="status">
      <p>Copy this now. The secret is shown only once.</p>
      <p className="quiet">On one Mac, run:</p>
      <code>{command}</code>
      <CopyButton text={command}>Copy command</CopyButton>
      <p className="quiet">
        For many Macs, deliver these preferences in a profile for <code>org.macmeter.agent</code>:
      </p>
      <pre>{preferences}</pre>
      <CopyButton text={preferences}>Copy preferences</CopyButton>
    </div>
  );
}
