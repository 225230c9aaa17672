import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton";
import styles from "./Manage.module.css";

/** The one time that a secret, or a link that is one, can be seen. */
export function ShownOnce({ children }: { children: ReactNode }) {
  return (
    <div className={styles.secret} role="status">
      {children}
    </div>
  );
}

interface CopyableProps {
  text: string;
  /** On the button: "Copy link". */
  children: string;
}

export function Copyable({ text, children }: CopyableProps) {
  return (
    <>
      {text.includes("\n") ? <pre>{text}</pre> : <code>{text}</code>}
      <CopyButton text={text}>{children}</CopyButton>
    </>
  );
}
