import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { Breakable } from "./Breakable";

it.each([
  ["Performance+Efficiency/high", 2],
  ["Efficiency/background · fp64", 1],
  ["APPLE SSD AP0512Q", 0],
  // A rate stays whole.
  ["7/8", 0],
])("%s may wrap in %i places, and stays the same text", (text, places) => {
  const { container } = render(<Breakable text={text} />);
  expect(container.textContent).toBe(text);
  expect(container.querySelectorAll("wbr")).toHaveLength(places);
});
