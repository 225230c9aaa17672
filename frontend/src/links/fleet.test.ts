import { expect, test } from "vitest";
import { fleetOf, inFleet } from "./fleet";

test("a fleet is put into an address, changed and taken out", () => {
  const within = inFleet({ where: ["storage:usb4"], by: ["chip"], cursor: ["x"] }, "acme: east");
  expect(within).toEqual({ where: ["storage:usb4", "fleet:acme: east"], by: ["chip"] });
  expect(fleetOf(within)).toBe("acme: east");
  expect(inFleet(within, "west").where).toEqual(["storage:usb4", "fleet:west"]);
  expect(inFleet(within, "").where).toEqual(["storage:usb4"]);
  expect(inFleet({ where: ["fleet:west"] }, "")).toEqual({});
});

test("an address about no single fleet names none", () => {
  expect(fleetOf({})).toBeUndefined();
  expect(fleetOf({ where: ["fleet!:acme"] })).toBeUndefined();
  expect(fleetOf({ where: ["fleet:a", "fleet:b"] })).toBeUndefined();
});
