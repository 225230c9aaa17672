import { expect, it } from "vitest";
import { csvCell } from "./csv";

it.each([
  ["=1+1", '"\'=1+1"'],
  ["\u00a0=1", '"\'\u00a0=1"'],
  ["\u202e=1", '"\'\u202e=1"'],
  ["\uff1d1", '"\'\uff1d1"'],
  ["a; =1;b", '"a;\' =1;b"'],
  ["label x;=cmd|' /C calc'!A0", "\"label x;'=cmd|' /C calc'!A0\""],
  ["\t1", '"\'\t1"'],
  ['a=1 "b", -c', '"a=1 ""b"", -c"'],
])("makes no formula of %j", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});
