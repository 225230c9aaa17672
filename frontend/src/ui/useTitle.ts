import { useEffect } from "react";
import { isolated } from "../format";

/** The window's title; `text` may come from anybody. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    document.title = text ? `${isolated(text)} · Macmeter` : "Macmeter";
  }, [text]);
}
