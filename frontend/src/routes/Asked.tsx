import type { ReactElement, ReactNode } from "react";
import { ProblemNotice } from "../ui/ProblemNotice";

interface Props<T> {
  /** Reads the question from the address; throws if it can't be read. */
  read: () => T;
  /** Where to go from an address that can't be read. */
  instead: ReactElement;
  children: (asked: T) => ReactNode;
}

/** Shows the page for its address, or says what is wrong with the address. */
export function Asked<T>({ read, instead, children }: Props<T>): ReactNode {
  let asked: T;
  try {
    asked = read();
  } catch (error) {
    return <ProblemNotice page error={error} ways={instead} />;
  }
  return children(asked);
}
