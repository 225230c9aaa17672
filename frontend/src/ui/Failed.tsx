import styles from "./Manage.module.css";

/** Why an action failed, in the server’s words or better ones, next to its control. */
export function Failed({ error, message }: { error: Error | null; message?: string }) {
  if (!error) return null;
  return (
    <p className={styles.failed} role="alert">
      {message ?? error.message}
    </p>
  );
}
