import styles from "./Manage.module.css";

/** Why an action failed, in the server’s words or better ones, next to its control. */
export function Failed({ error, said }: { error: Error | null; said?: string }) {
  if (!error) return null;
  return (
    <p className={styles.failed} role="alert">
      {said ?? error.message}
    </p>
  );
}
