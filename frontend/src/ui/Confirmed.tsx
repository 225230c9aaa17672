import { useState } from "react";

interface Props {
  label: string;
  /** Of the second press, which does it. */
  confirm: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What it is about, for whoever does not see the row. */
  about?: string;
}

/** A button that asks once more. */
export function Confirmed({ label, confirm, isBusy, onConfirm, about }: Props) {
  const [isAsked, setIsAsked] = useState(false);
  if (!isAsked) {
    return (
      <button
        type="button"
        className="act"
        disabled={isBusy}
        aria-label={about ? `${label} ${about}` : undefined}
        onClick={() => setIsAsked(true)}
      >
        {label}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        className="button chief"
        disabled={isBusy}
        onClick={() => {
          setIsAsked(false);
          onConfirm();
        }}
      >
        {confirm}
      </button>
      <button type="button" className="act" onClick={() => setIsAsked(false)}>
        Cancel
      </button>
    </>
  );
}
