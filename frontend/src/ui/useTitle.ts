import { useEffect } from "react";
import { IS_DEMO } from "./demo";
import { isolated } from "./format";

/** The window's title; `text` may come from anybody. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    const page = text ? `${isolated(text)} · Macmeter` : "Macmeter";
    document.title = IS_DEMO ? `Demo · ${page}` : page;
  }, [text]);
}
