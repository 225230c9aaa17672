import { expect, it } from "vitest";
import { siteOf } from "./publishers";

it("an article is found under its day, or at its publisher's", () => {
  const eclectic = "The Eclectic Light Company";
  expect(siteOf(eclectic, "2024-12-04")).toBe("https://eclecticlight.co/2024/12/04/");
  expect(siteOf(eclectic, null)).toBe("https://eclecticlight.co/");
  expect(siteOf("Depot", "2025-01-01")).toBe("https://depot.dev/");
  expect(siteOf("Nobody", "2025-01-01")).toBeUndefined();
});
