import { type ReactElement, type ReactNode, useMemo } from "react";
import { ProblemNotice } from "../ui/ProblemNotice";

interface Props<T> {
  /** Reads the question from the address; throws if it can't be read. The same function, the same question. */
  read: () => T;
  /** Where to go from an address that can't be read. */
  instead: ReactElement;
  children: (asked: T) => ReactNode;
}

/** Shows the page for its address, or says what is wrong with the address. */
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
