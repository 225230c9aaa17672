import { type RefObject, useEffect, useRef } from "react";
import { isWritten } from "./isWritten";

/** Press a button by a key from anywhere on the page, unless someone writes or a layer is open. */
export function useHotkey(
  hotkey: string | undefined,
  button: RefObject<HTMLButtonElement | null>,
  onPress: () => void,
) {
  const pressed = useRef(onPress);
  useEffect(() => {
    pressed.current = onPress;
  });
  useEffect(() => {
    if (!hotkey) return;
    const press = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target } = event;
      const isTaken = metaKey || ctrlKey || altKey || isWritten(target);
      if (key !== hotkey || isTaken || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      // Focus returns to the button once what it opens is closed.
      button.current?.focus();
      pressed.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hotkey, button]);
}
