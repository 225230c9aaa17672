import { expect, it } from "vitest";
import { goneIn, wordsOfAct } from "./words";

it("says what was changed on how many Macs", () => {
  const two = { machine_ids: ["a", "b"] };
  expect(wordsOfAct("machine.change", { machine_id: "a", retired: true })).toBe("Retired a Mac");
  expect(wordsOfAct("machine.change", { ...two, retired: false })).toBe("Brought back 2 Macs");
  expect(wordsOfAct("machine.change", { ...two, barred: true })).toBe("Revoked 2 Macs");
  expect(wordsOfAct("machine.change", { ...two, renamed: 2 })).toBe("Named 2 Macs");
  const labels = { rack: "B", floor: null };
  const words = "Labelled 2 Macs rack B, no floor";
  expect(wordsOfAct("machine.change", { ...two, labels })).toBe(words);
  // Different changes of several Macs have no common word.
  expect(wordsOfAct("machine.change", two)).toBe("Changed 2 Macs");
  expect(wordsOfAct("machine.delete", { ...two, runs: 3 })).toBe("Deleted 2 Macs with all runs");
});

it("knows which Macs have left the fleet, by the newest entry about each", () => {
  const act = (action: string, machine_id: string, names = {}) => ({
    action,
    details: { machine_id },
    names,
  });
  const newestFirst = [
    act("machine.join", "back"),
    act("machine.delete", "gone", { gone: "Kiosk 7" }),
    act("machine.change", "here"),
    act("machine.move", "back"),
    act("machine.join", "gone"),
  ];
  expect(goneIn(newestFirst)).toEqual({ gone: "Kiosk 7" });
});
