import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Failed } from "./Failed";
import styles from "./Manage.module.css";

/** Common fields of credentials: a name, and an expiry time. */
export interface Named {
  name: string;
  expires_at: string | null;
}

interface Props<Made> {
  placeholder: string;
  maxLength: number;
  button: string;
  make: (named: Named) => Promise<Made>;
  onMade: () => void;
  /** Render the new credential, which is shown only once. */
  shown: (made: Made) => ReactNode;
  /** Additional fields of this kind of credential. */
  children: ReactNode;
}

/** Form that creates a credential and shows it once. */
export function CredentialForm<Made>(props: Props<Made>) {
  const [name, setName] = useState("");
  const [expires, setExpires] = useState("");
  const making = useMutation({
    mutationFn: () =>
      // The chosen day counts in full.
      props.make({ name, expires_at: expires === "" ? null : `${expires}T23:59:59Z` }),
    onSuccess: () => {
      setName("");
      props.onMade();
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
            maxLength={props.maxLength}
            placeholder={props.placeholder}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {props.children}
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
          {props.button}
        </button>
      </form>
      <Failed error={making.error} />
      {making.data === undefined ? null : props.shown(making.data)}
    </>
  );
}
