import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { type FormEvent, useState } from "react";
import {
  addPasskey,
  newPasskeyOptions,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from "../../api/session";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./account.module.css";
import { Failed } from "./Failed";
import { createPasskey } from "./webauthn";

/** The reader's passkeys: add, rename, remove. */
export function Passkeys() {
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const changed = () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const removing = useChange(removePasskey, passkeysQuery.queryKey);
  return (
    <section className={styles.section} aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p className="quiet">Removing one signs you out in other browsers and revokes your tokens.</p>
      {passkeys.error ? <ProblemNotice error={passkeys.error} /> : null}
      <ul>
        {passkeys.data?.items.map(({ id, name, created_at, last_used_at }) => (
          <li key={id} className={styles.row}>
            <div>
              <Name id={id} name={name} onChanged={changed} />
              <span className={styles.under}>
                Added {day(created_at)}
                {last_used_at ? `, last used ${day(last_used_at)}` : ", not used yet"}
              </span>
            </div>
            <button
              type="button"
              className="act"
              aria-label={`Remove ${name}`}
              disabled={removing.isPending}
              onClick={() => removing.mutate(id)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <Failed error={removing.error} />
      <Adding onAdded={changed} />
    </section>
  );
}

interface NameProps {
  id: string;
  name: string;
  onChanged: () => void;
}

function Name({ id, name, onChanged }: NameProps) {
  const [typed, setTyped] = useState<string>();
  const renaming = useMutation({
    mutationFn: (next: string) => renamePasskey(id, next),
    onSuccess: () => {
      setTyped(undefined);
      onChanged();
    },
  });
  if (typed === undefined) {
    return (
      <span className={styles.actions}>
        <bdi>{name}</bdi>
        <button
          type="button"
          className="act quiet"
          aria-label={`Rename ${name}`}
          onClick={() => setTyped(name)}
        >
          Rename
        </button>
      </span>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate(typed);
  };
  return (
    <form className={styles.inline} onSubmit={submit}>
      <label>
        Name
        <input
          className="field"
          required
          maxLength={60}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={renaming.isPending}>
        Rename
      </button>
      <Failed error={renaming.error} />
    </form>
  );
}

function Adding({ onAdded }: { onAdded: () => void }) {
  const [name, setName] = useState("");
  const adding = useMutation({
    mutationFn: async () => addPasskey(name, await createPasskey(await newPasskeyOptions())),
    onSuccess: () => {
      setName("");
      onAdded();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <form className={styles.inline} onSubmit={submit}>
      <label>
        Name of a new passkey
        <input
          className="field"
          placeholder="MacBook"
          required
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={adding.isPending}>
        Add passkey
      </button>
      <Failed error={adding.error} />
    </form>
  );
}
