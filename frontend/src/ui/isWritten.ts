/** Whether keys pressed there are text, such as a slash, and no shortcut. */
export const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
