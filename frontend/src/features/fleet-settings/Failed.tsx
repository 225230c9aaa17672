import styles from "./settings.module.css";

/** Why something was not done, next to what was pressed. */
export function Failed({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <p className={styles.failed} role="alert">
      {error.message}
    </p>
  );
}
