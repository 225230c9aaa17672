import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import { makeToken, type PersonToken, revokeToken, tokensQuery } from "../../api/session";
import { Button } from "../../ui/Button";
import { CredentialForm } from "../../ui/CredentialForm";
import { Failed } from "../../ui/Failed";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import styles from "../../ui/Manage.module.css";

interface Props {
  fleets: { id: string; name: string }[];
}

/** API tokens for the reader's programs; each secret is shown once. */
export function Tokens({ fleets }: Props) {
  const queries = useQueryClient();
  const tokens = useQuery(tokensQuery);
  const changed = () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
  const revoking = useChange(revokeToken, tokensQuery.queryKey);
  return (
    <Section id="tokens" title="API tokens" error={tokens.error}>
      <p>For programs that read your fleets’ results, or manage them, on your behalf.</p>

      <ul>
        {tokens.data?.items.map((token) => (
          <li key={token.id} className={styles.row}>
            <div>
              <bdi>{token.name}</bdi>
              <span className={styles.under}>{aboutToken(token)}</span>
            </div>
            <Button
              asText
              aria-label={`Revoke ${token.name}`}
              disabled={revoking.isPending}
              onClick={() => revoking.mutate(token.id)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <Failed error={revoking.error} />
      <Making fleets={fleets} onMade={changed} />
    </Section>
  );
}

function aboutToken({ permission, fleet, expires_at, last_used_at }: PersonToken): string {
  const may = permission === "read" ? "Reads" : "Reads and manages";
  const what = fleet ? fleet.name : "all your fleets";
  const until = expires_at ? `until ${day(expires_at)}` : "no expiry date";
  const used = last_used_at ? `last used ${day(last_used_at)}` : "not used yet";
  return `${may} ${what} · ${until} · ${used}`;
}

function Making({ fleets, onMade }: Props & { onMade: () => void }) {
  const [manages, setManages] = useState(false);
  const [fleet, setFleet] = useState("");
  return (
    <CredentialForm
      placeholder="Nightly report"
      maxLength={80}
      button="Create token"
      make={(details) =>
        makeToken({
          ...details,
          permission: manages ? "manage" : "read",
          fleet: fleet === "" ? null : fleet,
        })
      }
      onMade={onMade}
      shown={({ secret }) => (
        <ShownOnce>
          <p>Copy this token now. It is shown only once.</p>
          <Copyable text={secret}>Copy token</Copyable>
        </ShownOnce>
      )}
    >
      <label>
        Permission
        <select
          className="field"
          value={manages ? "manage" : "read"}
          onChange={(event) => setManages(event.target.value === "manage")}
        >
          <option value="read">Read</option>
          <option value="manage">Read and manage</option>
        </select>
      </label>
      <label>
        Fleet
        <select className="field" value={fleet} onChange={(event) => setFleet(event.target.value)}>
          <option value="">All my fleets</option>
          {fleets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </CredentialForm>
  );
}
