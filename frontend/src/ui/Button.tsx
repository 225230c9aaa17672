import type { ComponentProps } from "react";

interface Props extends Omit<ComponentProps<"button">, "className" | "type"> {
  /** Whether it looks like text that acts. */
  act?: boolean;
  /** Whether it is the page's main action. */
  chief?: boolean;
  /** Whether it submits its form. */
  submit?: boolean;
}

export function Button({ act = false, chief = false, submit = false, ...rest }: Props) {
  const look = chief ? "button chief" : act ? "act" : "button";
  return <button type={submit ? "submit" : "button"} className={look} {...rest} />;
}
