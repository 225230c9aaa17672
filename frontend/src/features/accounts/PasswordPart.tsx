import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removePassword, setPassword } from "../../api/session";
import styles from "../../ui/Manage.module.css";
import { Failed } from "./Failed";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";

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

  return (
    <Section id="password" title="Password">
      <Form className={styles.inline} onSubmit={() => setting.mutate()}>
        {has ? (
          <Field
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onValue={setCurrent}
          />
        ) : null}
        <Field
          label="New password, at least 12 characters"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={200}
          value={next}
          onValue={setNext}
        />
        <Button submit disabled={setting.isPending}>
          {has ? "Change password" : "Set password"}
        </Button>
      </Form>
      {has ? (
        <p className="quiet">
          Changing or removing it signs you out in other browsers and revokes your tokens.
        </p>
      ) : null}
      {setting.isSuccess ? <p role="status">Password saved.</p> : null}
      <Failed error={setting.error ?? removing.error} />
      {has ? (
        <p>
          <Button asText disabled={removing.isPending} onClick={() => removing.mutate()}>
            Remove password
          </Button>
        </p>
      ) : null}
    </Section>
  );
}
