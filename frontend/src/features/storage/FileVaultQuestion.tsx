import { Link } from "@tanstack/react-router";
import { toSearch } from "../../links/question";
import type { Extra } from "../../questions/view";
import styles from "../../ui/Aside.module.css";

const HARDWARE = { dimension: "encryption", op: "is", value: "hardware" } as const;
const NONE = { dimension: "encryption", op: "is", value: "none" } as const;

/**
 * FileVault's cost on internal storage, measured against hardware encryption: unencrypted internal
 * storage doesn't exist.
 */
export function FileVaultQuestion({ question }: Pick<Extra, "question">) {
  const asksFileVault = question.relativeTo.some(({ value }) => value === HARDWARE.value);
  return (
    <section className={styles.question}>
      <h3>What FileVault costs</h3>
      {asksFileVault ? (
        <p>
          Internal storage with FileVault on, as a ratio to FileVault off. The hardware encrypts it
          either way.{" "}
          <Link to="/storage" search={toSearch({ ...question, relativeTo: [NONE] })}>
            Back to encrypted and not encrypted
          </Link>
        </p>
      ) : (
        <p>
          Apple silicon always encrypts its internal storage, so there is no unencrypted case to
          compare FileVault with. You can compare it with FileVault off instead.{" "}
          <Link to="/storage" search={toSearch({ ...question, relativeTo: [HARDWARE] })}>
            Compare FileVault on and off
          </Link>
        </p>
      )}
    </section>
  );
}
