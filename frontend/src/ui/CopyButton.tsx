import { useState } from "react";
import { Button } from "./Button";

type Props = { children: string } & (
  | {
      /** The text, or a function for text that is known only when copied. */ text:
        | string
        | (() => string);
    }
  | { /** Address of one of our PNGs. */ picture: string }
);

async function fetched(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`No picture: ${response.status}`);
  return response.blob();
}

/** Button that copies and confirms in place, because nothing else on the page changes. */
export function CopyButton({ children, ...what }: Props) {
  const [state, setState] = useState<"idle" | "busy" | "copied" | "refused">("idle");
  const copy = async () => {
    setState("busy");
    try {
      await ("picture" in what
        ? // Safari requires the picture's promise during the click.
          navigator.clipboard.write([new ClipboardItem({ "image/png": fetched(what.picture) })])
        : navigator.clipboard.writeText(typeof what.text === "string" ? what.text : what.text()));
      setState("copied");
    } catch {
      // Without a secure context there is no clipboard; text next to the button stays selectable.
      setState("refused");
    }
  };
  const refused = "picture" in what ? "Could not copy" : "Select and copy it by hand";
  const texts = { idle: children, busy: "Copying…", copied: "Copied", refused };
  return (
    <Button onClick={() => void copy()} aria-live="polite">
      {texts[state]}
    </Button>
  );
}
