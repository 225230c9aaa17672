import styles from "./account.module.css";
import { wasCancelled } from "./webauthn";

/** Why something was not done, next to what was pressed. */
export function Failed({ error }: { error: Error | null }) {
  if (!error) return null;
  const said = wasCancelled(error) ? "Cancelled, or no passkey was found." : error.message;
  return (
    <p className={styles.failed} role="alert">
      {said}
    </p>
  );
}
