import type { ComponentProps } from "react";

interface Props extends Omit<ComponentProps<"button">, "className" | "type"> {
  /** Whether it looks like a link in a text. */
  asText?: boolean;
  /** Whether it is the page's main action. */
  primary?: boolean;
  /** Whether it submits its form. */
  submit?: boolean;
}

export function Button({ asText = false, primary = false, submit = false, ...rest }: Props) {
  const className = primary ? "button chief" : asText ? "act" : "button";
  return <button type={submit ? "submit" : "button"} className={className} {...rest} />;
}
