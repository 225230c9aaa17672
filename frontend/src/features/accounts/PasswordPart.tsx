import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { removePassword, setPassword } from "../../api/session";
import styles from "./account.module.css";
import { Failed } from "./Failed";

/** Set, change or remove the password, if this address accepts passwords. */
export function PasswordPart({ has }: { has: boolean }) {
  const queries = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const changed = () => {
    setCurrent("");
    setNext("");
    // This may also have ended sessions and tokens.
    return queries.invalidateQueries();
  };
  const setting = useMutation({
    mutationFn: () => setPassword(next, has ? current : undefined),
    onSuccess: changed,
  });
  const removing = useMutation({ mutationFn: removePassword, onSuccess: changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setting.mutate();
  };
  return (
    <section className={styles.section} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form className={styles.inline} onSubmit={submit}>
        {has ? (
          <label>
            Current password
            <input
              className="field"
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          </label>
        ) : null}
        <label>
          New password, at least 12 characters
          <input
            className="field"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={200}
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={setting.isPending}>
          {has ? "Change password" : "Set password"}
        </button>
      </form>
      {has ? (
        <p className="quiet">
          Changing or removing it signs you out in other browsers and revokes your tokens.
        </p>
      ) : null}
      {setting.isSuccess ? <p role="status">Password saved.</p> : null}
      <Failed error={setting.error ?? removing.error} />
      {has ? (
        <p>
          <button
            type="button"
            className="act"
            disabled={removing.isPending}
            onClick={() => removing.mutate()}
          >
            Remove password
          </button>
        </p>
      ) : null}
    </section>
  );
}
