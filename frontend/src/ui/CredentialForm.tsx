import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "./Button";
import { Failed } from "./Failed";
import { Field } from "./Field";
import { Form } from "./Form";
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
  make: (details: Named) => Promise<Made>;
  onMade: () => void;
  /** Render the new credential, which is shown only once. */
  shown: (credential: Made) => ReactNode;
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

  return (
    <>
      <Form className={styles.inline} onSubmit={() => making.mutate()}>
        <Field
          label="Name"
          required
          maxLength={props.maxLength}
          placeholder={props.placeholder}
          value={name}
          onValue={setName}
        />
        {props.children}
        <Field label="Expires (optional)" type="date" value={expires} onValue={setExpires} />
        <Button submit disabled={making.isPending}>
          {props.button}
        </Button>
      </Form>
      <Failed error={making.error} />
      {making.data === undefined ? null : props.shown(making.data)}
    </>
  );
}
