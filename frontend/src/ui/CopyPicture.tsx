import { useState } from "react";

interface Props {
  /** Address of one of our PNGs. */
  address: string;
  children: string;
}

async function fetched(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`No picture: ${response.status}`);
  return response.blob();
}

/** Button that copies a picture. Safari requires its promise during the click. */
export function CopyPicture({ address, children }: Props) {
  const [state, setState] = useState<"idle" | "busy" | "copied" | "refused">("idle");
  const copy = async () => {
    setState("busy");
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": fetched(address) })]);
      setState("copied");
    } catch {
      setState("refused");
    }
  };
  const said = { idle: children, busy: "Copying…", copied: "Copied", refused: "Could not copy" };
  return (
    <button type="button" className="button" onClick={() => void copy()} aria-live="polite">
      {said[state]}
    </button>
  );
}
