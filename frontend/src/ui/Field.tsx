import type { ComponentProps } from "react";
import styles from "./Manage.module.css";

interface Props extends Omit<ComponentProps<"input">, "className" | "onChange"> {
  label: string;
  value: string;
  onValue: (value: string) => void;
}

/** A labelled field to type in; numbers are short. */
export function Field({ label, onValue, ...input }: Props) {
  return (
    <label>
      {label}
      <input
        className={`field ${input.type === "number" ? styles.number : ""}`}
        onChange={({ target }) => onValue(target.value)}
        {...input}
      />
    </label>
  );
}
