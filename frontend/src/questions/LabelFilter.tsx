import { useState } from "react";
import type { Clause } from "../links/clause";
import styles from "./Facets.module.css";

/**
 * A filter for runs with a label. Labels aren't counted over all runs, so the key is typed. Once
 * filtered by, its values are offered like any other's.
 */
export function LabelFilter({ onAdd }: { onAdd: (clause: Clause) => void }) {
  const [key, setKey] = useState("");
  // The question grammar gives both characters another meaning.
  const readable = !key.includes(":") && !key.trim().endsWith("!");
  const name = key.trim();
  return (
    <form
      className={styles.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (!name || !readable) return;
        onAdd({ dimension: `label:${name}`, op: "not", value: "" });
        setKey("");
      }}
    >
      <label>
        Label
        <input
          className="field"
          value={key}
          placeholder="Label, e.g. iops"
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={!readable}
          aria-describedby={readable ? undefined : "label-key"}
          onChange={(event) => setKey(event.target.value)}
        />
      </label>
      <button type="submit" className="button">
        Filter
      </button>
      {readable ? null : (
        <p id="label-key" role="alert">
          A label can’t contain “:” or end with “!”.
        </p>
      )}
    </form>
  );
}
