import { type ReactElement, type ReactNode, useMemo } from "react";
import { ProblemNotice } from "../ui/ProblemNotice";

interface Props<T> {
  /** Reads the question from the address; throws if it is invalid. Memoised by identity. */
  read: () => T;
  /** Where to go from an invalid address. */
  instead: ReactElement;
  children: (asked: T) => ReactNode;
}

/** Renders the page for its address, or explains what is wrong with the address. */
export function Asked<T>({ read, instead, children }: Props<T>): ReactNode {
  const attempt = useMemo(() => attempted(read), [read]);
  return "error" in attempt ? (
    <ProblemNotice page error={attempt.error} ways={instead} />
  ) : (
    children(attempt.asked)
  );
}

function attempted<T>(read: () => T): { asked: T } | { error: unknown } {
  try {
    return { asked: read() };
  } catch (error) {
    return { error };
  }
}
