import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import {
  addPasskey,
  newPasskeyOptions,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from "../../api/session";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import styles from "../../ui/Manage.module.css";
import { Failed } from "./Failed";
import { createPasskey } from "./webauthn";

/** The reader's passkeys: add, rename, remove. */
export function Passkeys() {
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const changed = () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const removing = useChange(removePasskey, passkeysQuery.queryKey);
  return (
    <Section id="passkeys" title="Passkeys" error={passkeys.error}>
      <p className="quiet">Removing one signs you out in other browsers and revokes your tokens.</p>

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
            <Button
              asText
              aria-label={`Remove ${name}`}
              disabled={removing.isPending}
              onClick={() => removing.mutate(id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Failed error={removing.error} />
      <Adding onAdded={changed} />
    </Section>
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

  return (
    <Form className={styles.inline} onSubmit={() => renaming.mutate(typed)}>
      <Field label="Name" required maxLength={60} value={typed} onValue={setTyped} />
      <Button submit disabled={renaming.isPending}>
        Rename
      </Button>
      <Failed error={renaming.error} />
    </Form>
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

  return (
    <Form className={styles.inline} onSubmit={() => adding.mutate()}>
      <Field
        label="Name of a new passkey"
        placeholder="MacBook"
        required
        maxLength={60}
        value={name}
        onValue={setName}
      />
      <Button submit disabled={adding.isPending}>
        Add passkey
      </Button>
      <Failed error={adding.error} />
    </Form>
  );
}
