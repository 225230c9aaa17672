import type { ReactElement, ReactNode } from "react";
import { ProblemNotice } from "../ui/ProblemNotice";

interface Props<T> {
  /** What the address asks; throws where it cannot be read. */
  read: () => T;
  /** The way on from an address that cannot be read. */
  instead: ReactElement;
  children: (asked: T) => ReactNode;
}

/** A page of what its address asks, or what is wrong with the address. */
export function Asked<T>({ read, instead, children }: Props<T>): ReactNode {
  let asked: T;
  try {
    asked = read();
  } catch (error) {
    return <ProblemNotice page error={error} ways={instead} />;
  }
  return children(asked);
}
