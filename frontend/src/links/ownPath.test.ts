import { expect, test } from "vitest";
import { ownPath } from "./ownPath";

test.each([
  ["/runs?where=fleet:acme", "/runs?where=fleet:acme"],
  ["/you", "/you"],
  ["/fleets/acme#alert-1", "/fleets/acme#alert-1"],
  [undefined, "/"],
  ["", "/"],
  ["https://evil.example/", "/"],
  ["//evil.example/", "/"],
  ["/\\evil.example/", "/"],
  ["\\\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/.//evil.example", "/"],
  ["/..//evil.example", "/"],
  ["runs", "/"],
])("%s leads to %s", (given, own) => {
  expect(ownPath(given)).toBe(own);
});
