import styles from "./Manage.module.css";

/** Beside what was asked for: why it did not happen, in the server’s words or in better ones. */
export function Failed({ error, said }: { error: Error | null; said?: string }) {
  if (!error) return null;
  return (
    <p className={styles.failed} role="alert">
      {said ?? error.message}
    </p>
  );
}
