import { type ReactElement, type ReactNode, useMemo } from "react";
import { ProblemNotice } from "../ui/ProblemNotice";

interface Props<T> {
  /** Read the question from the address; throw if it is invalid. Memoised by identity. */
  read: () => T;
  /** Link to show for an invalid address. */
  instead: ReactElement;
  children: (asked: T) => ReactNode;
}

/** Render the page for its address, or explain what is wrong with the address. */
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
