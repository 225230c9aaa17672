import { useId, useState } from "react";
import { Button } from "./Button";
import { Form } from "./Form";

/** Labels to set by key; null takes back what an admin has set. */
export type Labels = Record<string, string | null>;

interface Props {
  className: string | undefined;
  /** The labels that Macs of the fleet have, to choose from. */
  knownLabels?: readonly { key: string; values: readonly { value: string | null }[] }[];
  isBusy: boolean;
  onLabel: (labels: Labels) => void;
  onCancel: () => void;
}

const LONGEST = 60;

/** Focus the field that takes the place of a button. */
const focus = (field: HTMLElement | null) => field?.focus();

/** A label for Macs, or none any more: what they state themselves is shown again. */
export function LabelForm({ className, knownLabels, isBusy, onLabel, onCancel }: Props) {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const lists = useId();

  const values = knownLabels?.find((label) => label.key === key.trim())?.values ?? [];
  return (
    <Form className={className} onSubmit={() => onLabel({ [key.trim()]: value.trim() || null })}>
      <input
        className="field"
        ref={focus}
        required
        maxLength={LONGEST}
        pattern="[^:]*[^:!*\s]\s*"
        title="Neither a colon in it nor ! or * at its end"
        list={`${lists}keys`}
        aria-label="Label"
        placeholder="Label, such as rack"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <input
        className="field"
        maxLength={LONGEST}
        list={`${lists}values`}
        aria-label="Value"
        placeholder="Value, such as B"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <datalist id={`${lists}keys`}>
        {knownLabels?.map((label) => (
          <option key={label.key}>{label.key}</option>
        ))}
      </datalist>
      <datalist id={`${lists}values`}>
        {values.map((option) =>
          option.value === null ? null : <option key={option.value}>{option.value}</option>,
        )}
      </datalist>
      <Button submit disabled={isBusy}>
        {value.trim() || !key.trim() ? "Set label" : "Take label back"}
      </Button>
      <Button asText onClick={onCancel}>
        Cancel
      </Button>
      <small className="quiet">
        For all runs in this fleet, earlier ones too. Without a value, the Mac’s own is back.
      </small>
    </Form>
  );
}
