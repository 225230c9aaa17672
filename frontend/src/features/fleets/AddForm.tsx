import type { InputHTMLAttributes } from "react";
import styles from "./Fleet.module.css";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";

interface Props
  extends Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "maxLength" | "placeholder"> {
  label: string;
  isPending: boolean;
  /** Called with what was typed; `done` empties the field. */
  onAdd: (text: string, done: { onSuccess: () => void }) => void;
}

/** A field and a button that adds what is in it to the list above. */
export function AddForm({ label, isPending, onAdd, ...input }: Props) {
  return (
    <Form
      className={styles.tools}
      onSubmit={(form) => {
        const text = new FormData(form).get("added");
        if (typeof text !== "string" || !text.trim()) return;
        onAdd(text.trim(), { onSuccess: () => form.reset() });
      }}
    >
      <input className="field" name="added" aria-label={label} {...input} />
      <Button submit disabled={isPending}>
        Add
      </Button>
    </Form>
  );
}
