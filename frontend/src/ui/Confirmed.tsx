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

/** Whoever presses keys goes on where they are: a focused button that is replaced takes the focus. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** A button that asks once more. */
export function Confirmed({ label, confirm, isBusy, onConfirm, about }: Props) {
  const [step, setStep] = useState<"begin" | "asked" | "cancelled">("begin");
  if (step !== "asked") {
    return (
      <button
        ref={step === "cancelled" ? focus : null}
        type="button"
        className="act"
        disabled={isBusy}
        aria-label={about ? `${label} ${about}` : undefined}
        onClick={() => setStep("asked")}
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
          setStep("begin");
          onConfirm();
        }}
      >
        {confirm}
      </button>
      <button ref={focus} type="button" className="act" onClick={() => setStep("cancelled")}>
        Cancel
      </button>
    </>
  );
}
