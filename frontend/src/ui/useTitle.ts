import { useEffect } from "react";
import { IS_DEMO } from "./demo";
import { isolated } from "./format";

/** Set the window's title; `text` may be untrusted. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    const page = text ? `${isolated(text)} · Macmeter` : "Macmeter";
    document.title = IS_DEMO ? `Demo · ${page}` : page;
  }, [text]);
}
