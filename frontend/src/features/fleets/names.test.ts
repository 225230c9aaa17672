import { expect, it } from "vitest";
import type { FleetMachine } from "../../api/fleets";
import { matchNames, readNames } from "./names";

const machine = (id: string, name: string | null, labels: Record<string, string>): FleetMachine =>
  ({ id, name, labels }) as FleetMachine;

const MACS = [
  machine("0193f2a1-aaaa", null, { serial: "C02XL0GTJGH5" }),
  machine("0193f2a2-bbbb", "Kiosk 1", { serial: "C02XL0GTJGH6", site: "Oslo" }),
  machine("0193f2a2-cccc", null, { site: "Oslo" }),
];

it("reads the first two cells of each line, however they are separated", () => {
  const text = '\ufeffserial,name\r\nC02XL0GTJGH5; "Front ""desk"", left"\n\na\tb\tc\nalone\n';
  expect(readNames(text)).toEqual([
    ["serial", "name"],
    ["C02XL0GTJGH5", 'Front "desk", left'],
    ["a", "b"],
  ]);
});

it("finds a Mac by its id, its name or a label, and none where several match", () => {
  const pairs: [string, string][] = [
    ["serial", "name"],
    ["c02xl0gtjgh5", "by label"],
    ["kiosk 1", "by name"],
    ["0193f2a2-c", "by id"],
    ["0193f2a2", "two"],
    ["Oslo", "two"],
    ["0193", "short"],
  ];
  expect(matchNames(pairs, MACS)).toEqual({
    named: [
      { id: "0193f2a1-aaaa", name: "by label" },
      { id: "0193f2a2-bbbb", name: "by name" },
      { id: "0193f2a2-cccc", name: "by id" },
    ],
    unknown: ["0193f2a2", "Oslo", "0193"],
  });
});
