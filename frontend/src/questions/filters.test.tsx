import { fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Catalog } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import { wordsOf } from "../figures/words";
import { FilterChips } from "./FilterChips";
import { Facets } from "./Facets";
import type { FilterText } from "../figures/filters";
import { LabelFilter } from "./LabelFilter";

const plain = {
  of: "run" as const,
  unit: null,
  about: null,
  values: {},
  plural: "values",
  traits: [],
  absent: null,
  expected_of: [],
  each: null,
  inside: "",
  words: {},
  words_inside: {},
};
const catalog: Catalog = {
  metrics: [],
  flags: [],
  open_filters: { "/storage": ["storage"] },
  most_grouped: 3,
  dimensions: [
    { ...plain, name: "storage", title: "Storage", kind: "text", words: { usb4: "USB4" } },
    { ...plain, name: "via", title: "Through", kind: "text", absent: "Direct" },
    { ...plain, name: "file_size", title: "File size", kind: "number", of: "sample", unit: "B" },
    { ...plain, name: "chip", title: "Chip", kind: "text", traits: ["filters_first"] },
    { ...plain, name: "chip_family", title: "Chip family", kind: "text", traits: ["repeated"] },
    { ...plain, name: "os_major", title: "macOS", kind: "text", traits: ["repeated"] },
  ],
};
const words = wordsOf(catalog);
const usb4 = { dimension: "storage", op: "is", value: "usb4" } as const;

/** A handler that records its calls. */
function kept(): { calls: unknown[][]; handler: (...values: unknown[]) => void } {
  const calls: unknown[][] = [];
  return { calls, handler: (...values) => void calls.push(values) };
}

const nothing = () => undefined;

/** The server's texts. */
const SAID: Record<string, [verb: string, value: string]> = {
  "storage:usb4": ["is", "USB4"],
  "storage!:": ["is", "known"],
  "storage!:unknown": ["is", "known"],
  "storage!:other": ["is not", "Other storage"],
  "via:": ["is", "direct"],
};

function textOf(clause: Clause): FilterText {
  const verb = clause.op === "is" ? "is" : "is not";
  const [text, value] = SAID[printClause(clause)] ?? [verb, clause.value];
  return { verb: text, value, inside: value, alone: value, listed: value };
}

const not = (value: string): Clause => ({ dimension: "storage", op: "not", value });

describe("chips", () => {
  it("turn and remove their condition, markup in it staying text", () => {
    const replaced = kept();
    const hostile = { dimension: "storage", op: "is", value: "<img src=x>\u202e" } as const;
    const { container } = render(
      <FilterChips
        where={[usb4, hostile]}
        words={words}
        textOf={textOf}
        onReplace={replaced.handler}
      />,
    );
    expect(container.querySelector("img")).toBeNull();
    expect(screen.getByText(/<img src=x>/).tagName).toBe("BDI");
    fireEvent.click(screen.getByRole("button", { name: "Storage is USB4: exclude it instead" }));
    expect(replaced.calls.at(-1)).toEqual([[usb4], [{ ...usb4, op: "not" }]]);
    fireEvent.click(screen.getByRole("button", { name: "Remove the filter Storage is USB4" }));
    expect(replaced.calls.at(-1)).toEqual([[usb4], []]);
  });
  it("are one for each dimension, and tell once what reads alike", () => {
    const replaced = kept();
    const where: Clause[] = [not(""), { dimension: "via", op: "is", value: "" }, not("unknown")];
    const { container } = render(
      <FilterChips
        where={[...where, usb4, not("ebs"), not("other")]}
        words={words}
        textOf={textOf}
        onReplace={replaced.handler}
      />,
    );
    const chips = within(container)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
    expect(chips).toEqual([
      "StorageisUSB4×and isknown×and is notebs×norOther storage×Any",
      "Throughisdirect×",
    ]);
    for (const button of within(container).getAllByRole("button", { name: /instead$/ }))
      expect(button.getAttribute("aria-label")).toContain(` ${button.textContent} `);
    fireEvent.click(
      within(container).getByRole("button", { name: "Remove the filter Storage is known" }),
    );
    expect(replaced.calls).toEqual([[[not(""), not("unknown")], []]]);
  });
});

describe("facets", () => {
  it("tell counts, and keep a chosen value that no run has any more", () => {
    const toggled = kept();
    render(
      <Facets
        facets={{
          total: 5,
          metrics: [],
          dimensions: [
            {
              name: "storage",
              distinct: 2,
              values: [
                { value: null, runs: 2, machines: 1, text: "Not stated", place: 1 },
                { value: "usb4", runs: 3, machines: 1, text: "USB4", place: 0 },
              ],
            },
            {
              name: "via",
              distinct: 1,
              values: [{ value: "Dock", runs: 5, machines: 1, text: "Dock", place: 0 }],
            },
          ],
        }}
        where={[{ dimension: "storage", op: "is", value: "gone" }]}
        words={words}
        textOf={textOf}
        page="/storage"
        onToggle={toggled.handler}
        onReplace={nothing}
      />,
    );
    const boxes = screen.getAllByRole("checkbox");
    expect(
      boxes.map((box) => [box.closest("label")?.textContent, (box as HTMLInputElement).checked]),
    ).toEqual([
      ["USB43 runs", false],
      ["Not stated2 runs", false],
      ["gone0 runs", true],
    ]);
    fireEvent.click(screen.getByRole("checkbox", { name: /USB4/ }));
    expect(toggled.calls).toEqual([[usb4]]);
  });
});

const value = (text: string, place: number) => ({
  value: text,
  runs: 1,
  machines: 1,
  text,
  place,
});

describe("a long list of facets", () => {
  const many = Array.from({ length: 20 }, (_, index) => value(`Chip ${index}`, index));
  const facet = (name: string, values: typeof many) => ({ name, distinct: values.length, values });

  it("begins with the chip, hides what repeats it, and is searched", () => {
    const { container } = render(
      <Facets
        facets={{
          total: 20,
          metrics: [],
          dimensions: [
            facet("storage", many.slice(0, 2)),
            facet("chip_family", many.slice(0, 2)),
            facet("os_major", many.slice(0, 2)),
            facet("chip", many),
          ],
        }}
        where={[
          { dimension: "os_major", op: "is", value: "26" },
          { dimension: "chip", op: "is", value: "Chip 17" },
        ]}
        words={words}
        textOf={textOf}
        page="/storage"
        onToggle={nothing}
        onReplace={nothing}
      />,
    );
    const titles = [...container.querySelectorAll("summary")].map(({ textContent }) => textContent);
    expect(titles).toEqual(["Chip1 chosen", "Storage", "macOS1 chosen"]);
    const chips = within(container).getByRole("group", { name: "Chip" });
    expect(within(chips).getAllByRole("checkbox")).toHaveLength(9);
    fireEvent.change(within(chips).getByRole("searchbox", { name: "Find in Chip" }), {
      target: { value: "chip 1" },
    });
    expect(within(chips).getAllByRole("checkbox")).toHaveLength(11);
    const storage = within(container).getByRole("group", { name: "Storage" });
    expect(within(storage).queryByRole("searchbox")).toBeNull();
  });
});

describe("a label", () => {
  it("is filtered by its key, unless questions would read it as something else", () => {
    const added = kept();
    const form = within(render(<LabelFilter onAdd={added.handler} />).container);
    const key = form.getByRole("textbox", { name: "Label" });
    const press = () => fireEvent.click(form.getByRole("button", { name: "Filter" }));
    press();
    fireEvent.change(key, { target: { value: "a:b" } });
    press();
    expect(added.calls).toEqual([]);
    expect(form.getByRole("alert").textContent).toContain("can’t contain “:”");
    fireEvent.change(key, { target: { value: " iops " } });
    press();
    expect(added.calls).toEqual([[{ dimension: "label:iops", op: "not", value: "" }]]);
  });
});
