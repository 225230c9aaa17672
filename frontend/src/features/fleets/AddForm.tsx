import type { InputHTMLAttributes } from "react";
import styles from "./Fleet.module.css";

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
    <form
      className={styles.tools}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = new FormData(form).get("added");
        if (typeof text !== "string" || !text.trim()) return;
        onAdd(text.trim(), { onSuccess: () => form.reset() });
      }}
    >
      <input className="field" name="added" aria-label={label} {...input} />
      <button type="submit" className="button" disabled={isPending}>
        Add
      </button>
    </form>
  );
}
