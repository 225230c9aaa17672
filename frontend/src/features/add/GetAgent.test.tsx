import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { GetAgent } from "./GetAgent";

const NOTHING = { version: "0.2.0", files: null, install: null, tap: null, package: null };
const commands = (offer: Partial<typeof NOTHING> | Record<string, string>) => {
  const page = render(<GetAgent offer={{ ...NOTHING, ...offer }} />).container;
  return [...page.querySelectorAll("p > code, a")].map(
    (element) => element.getAttribute("href") ?? element.textContent,
  );
};

it("offers the source where a server has nothing else", () => {
  expect(commands({})).toEqual(["make agent"]);
});

it("offers what the server has, the shortest way first and the source last", () => {
  const install = "curl -fsSL https://macs.example.org/install.sh | sh";
  const packed = "https://macs.example.org/agent/macmeter-0.2.0.pkg";
  expect(commands({ install, tap: "example/tap", package: packed })).toEqual([
    "/install.sh",
    "/uninstall.sh",
    install,
    "macmeter",
    "brew install example/tap/macmeter",
    packed,
    "make agent",
  ]);
  expect(commands({ tap: "example/tap" })).toEqual([
    "brew install example/tap/macmeter",
    "make agent",
  ]);
});
