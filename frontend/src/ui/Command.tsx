import { CopyButton } from "./CopyButton";
import styles from "./Command.module.css";

/** A command with a copy button. */
export function Command({ text }: { text: string }) {
  return (
    <p className={styles.command}>
      <code>{text}</code>
      <CopyButton text={text}>Copy</CopyButton>
    </p>
  );
}
