import { useState } from "react";

interface Props {
  /** The text, or a function for text that is expensive or known only when copied. */
  text: string | (() => string);
  children: string;
}

/** Button that copies `text` and confirms in place, because nothing else on the page changes. */
export function CopyButton({ text, children }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      // Without a secure context there is no clipboard; the text next to the button stays
      // selectable.
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
