import { useState } from "react";

interface Props {
  /** Or what makes it, where it takes work or is known only when it is copied. */
  text: string | (() => string);
  children: string;
}

/** Copies `text`; says so in its own place, because nothing else on the page changes. */
export function CopyButton({ text, children }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      // No clipboard without a secure context: the text stays selectable beside the button.
      setState("refused");
    }
  };
  const said = { idle: children, copied: "Copied", refused: "Select and copy it by hand" };
  return (
    <button type="button" className="button" onClick={() => void copy()} aria-live="polite">
      {said[state]}
    </button>
  );
}
