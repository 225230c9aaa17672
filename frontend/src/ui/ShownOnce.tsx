import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton";
import styles from "./Manage.module.css";

/** A secret, or a secret link, that is shown only once. */
export function ShownOnce({ children }: { children: ReactNode }) {
  return (
    <div className={styles.secret} role="status">
      {children}
    </div>
  );
}

interface CopyableProps {
  text: string;
  /** The button's label: "Copy link". */
  children: string;
}

/** A text with a button that copies it. */
export function Copyable({ text, children }: CopyableProps) {
  return (
    <>
      {text.includes("\n") ? <pre>{text}</pre> : <code>{text}</code>}
      <CopyButton text={text}>{children}</CopyButton>
    </>
  );
}
