import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import {
  createSecret,
  type EnrolmentSecret,
  revokeSecret,
  secretsQuery,
} from "../../api/fleetSettings";
import { CredentialForm } from "../../ui/CredentialForm";
import { Field } from "../../ui/Field";
import { Section } from "../../ui/Section";
import { count, day } from "../../ui/format";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";

/** Enrolment secrets for Macs. Each is shown once, with the command to run. */
export function Secrets({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const query = secretsQuery(fleet);
  const secrets = useQuery(query);
  const changed = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const revoking = useChange((id: string) => revokeSecret(fleet, id), query.queryKey);
  return (
    <Section id="secrets" title="Enrolment secrets" error={secrets.error}>
      <p>
        Macs join the fleet with a secret, and each gets a token of its own. If you revoke a secret,
        Macs that have joined stay.
      </p>

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
    </Section>
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
  const [quota, setQuota] = useState("");
  return (
    <CredentialForm
      placeholder="Office Macs"
      maxLength={60}
      button="Create secret"
      make={(details) =>
        createSecret(fleet, { ...details, quota: quota === "" ? null : Number(quota) })
      }
      onMade={onMade}
      shown={(secret) => <Made {...secret} />}
    >
      <Field
        label="Mac limit (optional)"
        type="number"
        min={1}
        max={1_000_000}
        placeholder="No limit"
        value={quota}
        onValue={setQuota}
      />
    </CredentialForm>
  );
}

/** A new secret, shown only once: a command for one Mac, and preferences for many. */
function Made({ secret, command }: { secret: string; command: string }) {
  const preferences = JSON.stringify(
    { server: window.location.origin, secret, accept: true, schedule: "week" },
    null,
    2,
  );
  return (
    <ShownOnce>
      <p>Copy this now. The secret is shown only once.</p>
      <p className="quiet">On one Mac, run:</p>
      <Copyable text={command}>Copy command</Copyable>
      <p className="quiet">
        For many Macs, deliver these preferences in a profile for <code>org.macmeter.agent</code>:
      </p>
      <Copyable text={preferences}>Copy preferences</Copyable>
    </ShownOnce>
  );
}
