import { useState } from "react";

interface Props {
  label: string;
  /** Label of the second press, which acts. */
  confirm: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** Subject of the action, for screen readers. */
  about?: string;
}

/** Focus the replaced button, so that keyboard users keep their place. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** A button that asks for confirmation. */
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
