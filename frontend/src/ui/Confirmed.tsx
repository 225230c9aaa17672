import { useState } from "react";
import { Button } from "./Button";

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
      <Button
        ref={step === "cancelled" ? focus : null}
        asText
        disabled={isBusy}
        aria-label={about ? `${label} ${about}` : undefined}
        onClick={() => setStep("asked")}
      >
        {label}
      </Button>
    );
  }
  return (
    <>
      <Button
        primary
        disabled={isBusy}
        onClick={() => {
          setStep("begin");
          onConfirm();
        }}
      >
        {confirm}
      </Button>
      <Button ref={focus} asText onClick={() => setStep("cancelled")}>
        Cancel
      </Button>
    </>
  );
}
