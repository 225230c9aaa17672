import { expect, test } from "vitest";
import { fleetAt, fleetOf, inFleet } from "./fleet";

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

test("a place is about the fleet that its path or its filters name", () => {
  const search = inFleet({}, "west");
  expect(fleetAt({ pathname: "/runs", search })).toBe("west");
  expect(fleetAt({ pathname: "/fleets/acme%20%2F%20east/settings", search: {} })).toBe(
    "acme / east",
  );
  for (const pathname of ["/fleets", "/fleets/%E0%A4"]) {
    expect(fleetAt({ pathname, search: {} })).toBeUndefined();
  }
  const compared = (...side: string[]) => fleetAt({ pathname: "/compare", search: { side } });
  expect(compared("1:fleet:west", "2:", "2:storage:usb4")).toBe("west");
  expect(compared("1:fleet:west", "2:fleet:east")).toBeUndefined();
});
