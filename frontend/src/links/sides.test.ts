import { describe, expect, it } from "vitest";
import { UnreadableQuestion } from "./question";
import { parseSearch } from "./search";
import { metricParts, parseSides, printSides, withoutSide } from "./sides";

const read = (text: string) => parseSides(parseSearch(text));

describe("an address of a comparison of sides", () => {
  const text =
    "baseline=2&label=1:My%20old%20one&metric=disk.write_average&metric=disk.write_speed%40file_size:2000000&side=1:chip:Apple%20M1&side=1:label:a:b&side=2:&where=storage:internal";

  it("comes back as it was", () => {
    expect(printSides(read(text))).toBe(text);
  });

  it("keeps filters of a side together, and a side without any", () => {
    const { sides, baseline } = read(text);
    expect(baseline).toBe(2);
    expect(sides).toEqual([
      {
        label: "My old one",
        where: [
          { dimension: "chip", op: "is", value: "Apple M1" },
          { dimension: "label:a", op: "is", value: "b" },
        ],
      },
      { where: [] },
    ]);
  });

  it("is refused in words, with its parameter", () => {
    const pointer = (address: string) => {
      try {
        read(address);
      } catch (error) {
        if (error instanceof UnreadableQuestion) return error.parameter;
      }
      return undefined;
    };
    expect(pointer("side=1:storage:usb4&side=3:storage:internal")).toBe("?side");
    expect(pointer("side=9:storage:usb4")).toBe("?side");
    expect(pointer("side=1:&label=2:b")).toBe("?label");
    expect(pointer("side=1:&side=2:&baseline=3")).toBe("?baseline");
    expect(pointer("side=1:&version=3")).toBe("?version");
  });

  it("loses a side without changing what is the baseline", () => {
    const asked = read("baseline=3&metric=m&side=1:a:1&side=2:a:2&side=3:a:3");
    const left = withoutSide(asked, 1);
    expect(left.sides[left.baseline - 1]?.where[0]?.value).toBe("3");
    expect(withoutSide(asked, 3).baseline).toBe(1);
  });

  it("takes a metric apart at its parameters", () => {
    expect(metricParts("cores.loop_rate@core_context:Performance/high@kernel:fp64")).toEqual({
      name: "cores.loop_rate",
      fixed: [
        { dimension: "core_context", op: "is", value: "Performance/high" },
        { dimension: "kernel", op: "is", value: "fp64" },
      ],
    });
  });
});
