import { useState } from "react";
import type { Clause } from "../links/clause";
import styles from "./Facets.module.css";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Form } from "../ui/Form";

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
    <Form
      className={styles.label}
      onSubmit={() => {
        if (!name || !readable) return;
        onAdd({ dimension: `label:${name}`, op: "not", value: "" });
        setKey("");
      }}
    >
      <Field
        label="Label"
        value={key}
        placeholder="Label, e.g. iops"
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={!readable}
        aria-describedby={readable ? undefined : "label-key"}
        onValue={setKey}
      />
      <Button submit>Filter</Button>
      {readable ? null : (
        <p id="label-key" role="alert">
          A label can’t contain “:” or end with “!”.
        </p>
      )}
    </Form>
  );
}
