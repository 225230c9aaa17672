import { Link } from "@tanstack/react-router";
import { toSearch } from "../../links/question";
import type { Extra } from "../../questions/view";
import styles from "../../ui/Aside.module.css";

const HARDWARE = { dimension: "encryption", op: "is", value: "hardware" } as const;
const NONE = { dimension: "encryption", op: "is", value: "none" } as const;

/** What FileVault costs on internal storage can't be asked against “none”: there is no such case. */
export function FileVaultQuestion({ question }: Pick<Extra, "question">) {
  const asksFileVault = question.relativeTo.some(({ value }) => value === HARDWARE.value);
  return (
    <section className={styles.question}>
      <h3>FileVault against hardware encryption</h3>
      {asksFileVault ? (
        <p>
          This is that question: internal storage with FileVault on, as a ratio to the same with
          FileVault off, where the hardware encrypts all the same.{" "}
          <Link to="/storage" search={toSearch({ ...question, relativeTo: [NONE] })}>
            Back to encrypted against not encrypted
          </Link>
        </p>
      ) : (
        <p>
          Apple silicon encrypts its internal storage always, so FileVault has no unencrypted case
          to be compared with. What it costs beyond that is a question of its own.{" "}
          <Link to="/storage" search={toSearch({ ...question, relativeTo: [HARDWARE] })}>
            Ask it: FileVault relative to FileVault off
          </Link>
        </p>
      )}
    </section>
  );
}
