import { describe, expect, it } from "vitest";
import { aboutFigures, fileName } from "./demo";

describe("names of files", () => {
  it("say once that they are a demo's", () => {
    expect(fileName("macmeter.csv", true)).toBe("macmeter-demo.csv");
    expect(fileName("macmeter-chips.csv", true)).toBe("macmeter-demo-chips.csv");
    expect(fileName("macmeter-demo-chips.csv", true)).toBe("macmeter-demo-chips.csv");
  });
  it("stay as they are elsewhere", () => {
    expect(fileName("macmeter-chips.csv", false)).toBe("macmeter-chips.csv");
    expect(fileName("macmeter-chips.csv")).toBe("macmeter-chips.csv");
  });
});

it("calls no invented Mac a real one", () => {
  expect(aboutFigures(true)).not.toContain("real Macs");
  expect(aboutFigures(true)).toContain("invented");
  expect(aboutFigures(false)).toContain("real Macs");
});
