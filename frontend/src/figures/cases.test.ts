import { describe, expect, it } from "vitest";
import type { Answer, Catalog, Group, PublishedFigure } from "../api/types";
import { bandOf, casesOf } from "./cases";
import { equationIn, valueAt } from "./curves";
import { curvePath } from "./charts/path";
import { medianText } from "./figures";
import { flagNotes, letterOf } from "./flags";
import { axisDimension, panelsOf } from "./panels";
import { runsLink } from "./runsLink";
import { sourcesOf } from "./sources";
import { questionTitle, readingOrder, sharedTail, wordsOf } from "./words";

const dimension = (name: string, title: string, more: object = {}) => ({
  name,
  title,
  kind: "text" as const,
  of: "run" as const,
  unit: null,
  about: null,
  values: {},
  plural: title,
  traits: [],
  absent: null,
  expected_of: [],
  each: null,
  ...more,
});

const catalog: Catalog = {
  metrics: ["write", "read"].flatMap((verb) => {
    const title = verb === "write" ? "Write speed" : "Read speed";
    const common = {
      unit: "B/s",
      better: "higher" as const,
      suite: "disk",
      about: "",
      optional: [],
      roles: [],
      determinants: [],
    };
    return [
      { ...common, name: `disk.${verb}_average`, title: `${title}, whole run`, required: [] },
      {
        ...common,
        name: `disk.${verb}_speed`,
        title: `${title} by file size`,
        required: ["file_size"],
      },
    ];
  }),
  dimensions: [
    dimension("storage", "Storage", { values: { internal: "Internal SSD", usb4: "USB4" } }),
    dimension("image_format", "Image format", {
      traits: ["optional"],
      absent: "Format not stated",
      expected_of: ["disk_image", "virtual_disk"],
    }),
    dimension("encryption", "Encryption", {
      values: { none: "Not encrypted", filevault: "FileVault" },
    }),
    dimension("virtual", "Virtual machine", {
      kind: "boolean",
      values: { false: "Host", true: "In a VM" },
    }),
    dimension("method", "Method"),
    dimension("file_size", "File size", {
      kind: "number",
      of: "sample",
      unit: "B",
      traits: ["axis"],
    }),
  ],
  flags: [
    { code: "doubtful", severity: "doubt", sentence: "was measured from the cache" },
    { code: "quick", severity: "caution", sentence: "was a quick run of few files" },
  ],
};
const words = wordsOf(catalog);

function group(key: Group["key"], median: number, more: Partial<Group> = {}): Group {
  return {
    key,
    published: false,
    method: "graded-files",
    method_version: 1,
    machines: 3,
    runs: 4,
    samples: 12,
    median,
    p10: median * 0.9,
    p25: median * 0.95,
    p75: median * 1.05,
    p90: median * 1.1,
    min: median * 0.9,
    max: median * 1.1,
    mean: median,
    flags: [],
    ...more,
  };
}

const citation = { article: "a1", title: "T", author: "A", publisher: "P", row: "m1" };
const printed = (digits: string, median: number, key: Group["key"]) =>
  group(key, median, {
    published: true,
    method: "stibium",
    machines: 1,
    runs: 1,
    samples: 1,
    printed: [digits],
    citations: [citation],
  });

function answer(
  groups: Group[],
  {
    by = ["encryption", "storage"],
    metric = "disk.write_average",
    published = [] as PublishedFigure[],
    relative = false,
  } = {},
): Answer {
  return {
    question: {
      canonical: "",
      metrics: [metric],
      by,
      where: [],
      relative_to: relative ? [{ dimension: "encryption", value: "none" }] : [],
      weight: "machine",
      flagged: "exclude",
      fit: null,
      version: 1,
    },
    as_of: "2026-11-21T00:00:00Z",
    derivation_version: 1,
    results: [
      {
        metric,
        title: "",
        unit: "B/s",
        better: "higher",
        groups,
        published,
        fits: [],
        excluded: [],
        notes: [],
      },
    ],
  };
}

const ratio: PublishedFigure = {
  kind: "ratio",
  value: 0.97,
  of: { encryption: "apfs_encrypted" },
  to: { encryption: "none" },
  printed: "97%",
  parameters: {},
  key: { storage: "usb4", encryption: "apfs_encrypted" },
  flags: [],
  citation,
  run_id: "r",
};

const rowsOf = (asked: Answer, measure: "figure" | "ratio" = "figure") =>
  casesOf(asked, words, sourcesOf(asked), measure).rows;

describe("cases", () => {
  it("stand under their storage, in the catalogue's order, absent values last", () => {
    const rows = rowsOf(
      answer([
        group({ storage: null, encryption: "none" }, 1e9),
        group({ storage: "usb4", encryption: "filevault" }, 1e9),
        group({ storage: "usb4", encryption: "none" }, 1e9),
        group({ storage: "internal", encryption: "filevault" }, 7e9),
      ]),
    );
    expect(rows.map((row) => [row.heading, row.label])).toEqual([
      ["Internal SSD", "FileVault"],
      ["USB4", "Not encrypted"],
      ["", "FileVault"],
      ["Storage not stated", "Not encrypted"],
    ]);
  });

  it("keep measured and published apart, measured first, with the digits printed", () => {
    const key = { storage: "usb4", encryption: "none" };
    const [row] = rowsOf(answer([printed("3.7 GB/s", 3.7e9, key), group(key, 3.456e9)]));
    expect(row?.lanes.map(({ text, hollow, dagger }) => [text, hollow, dagger])).toEqual([
      ["3.46", false, ""],
      ["3.7", true, "†"],
    ]);
  });

  it("show the spread of one machine's samples, though its lowest median is its highest", () => {
    const one = { machines: 1, min: 4.83, max: 4.83, spread: { p10: 4.81, p90: 4.86, samples: 3 } };
    expect(bandOf(group({}, 4.83, one))).toEqual([4.81, 4.86]);
    expect(bandOf(group({}, 4.83, { ...one, published: true }))).toBeUndefined();
  });

  it("never make a speed of a printed ratio", () => {
    const [, row] = rowsOf(
      answer([group({ storage: "usb4", encryption: "none" }, 3.7e9)], { published: [ratio] }),
    );
    expect(row?.lanes[0]).toMatchObject({ text: "97\u2009%", of: "of not encrypted" });
    expect(row?.lanes[0]?.value).toBeUndefined();
  });

  it("draw ratios beside printed ones and leave the reference out", () => {
    const reference_key = { storage: "usb4", encryption: "none" };
    const verdict = { answer: "not_enough" as const };
    const found = casesOf(
      answer(
        [
          group(reference_key, 3.7e9, {
            ratio: { value: 1, pairing: "paired", pairs: 2, reference_key, verdict },
          }),
          group({ storage: "usb4", encryption: "filevault" }, 3.5e9, {
            ratio: { value: 0.946, pairing: "paired", pairs: 2, reference_key, verdict },
          }),
          group({ storage: "internal", encryption: "filevault" }, 7e9),
        ],
        { relative: true, published: [ratio] },
      ),
      words,
      new Map(),
      "ratio",
    );
    expect(found.withoutRatio).toBe(1);
    expect(found.rows.flatMap((row) => row.lanes).map((lane) => [lane.text, lane.weight])).toEqual([
      ["94.6", "2 pairs"],
      ["97", "as printed"],
    ]);
  });

  it("name what is special to a method where there are several", () => {
    const key = { storage: "usb4", encryption: "none" };
    const [row] = rowsOf(
      answer([group(key, 3e9), group(key, 3e9, { method: "graded-files-quick" })]),
    );
    expect(row?.lanes.map((lane) => lane.method)).toEqual(["", "quick"]);
  });
});

describe("figures", () => {
  const scale = { symbol: "GB/s", divisor: 1e9 };
  const of = (digits: string[], median: number) =>
    medianText(group({}, median, { published: true, printed: digits }), "B/s", scale);
  it("show what was printed", () => {
    expect(of(["5.3 GB/s"], 5.3e9)).toBe("5.3");
    expect(of(["422 MB/s"], 422e6)).toBe("422\u2009MB/s");
  });
  it("claim no more for the median of several than they do themselves", () => {
    expect(of(["2.2 GB/s", "2.8 GB/s"], 2.5e9)).toBe("2.5");
    expect(of(["2.2 GB/s", "2.9 GB/s"], 2.55e9)).toBe("2.55");
    expect(of(["52 MB/s", "57 MB/s", "71 MB/s"], 57e6)).toBe("57\u2009MB/s");
  });
});

describe("panels", () => {
  const by = ["file_size", "storage"];
  const at = (size: number, more: Partial<Group> = {}) =>
    group({ file_size: size, storage: "usb4" }, 3e9, more);
  it("join groups along the number and never across methods or sources", () => {
    const asked = answer(
      [
        at(2e6),
        at(4e6),
        at(2e6, { method: "graded-files-quick", runs: 1 }),
        printed("3.6 GB/s", 3.6e9, { file_size: 2e9, storage: "usb4" }),
      ],
      { by, metric: "disk.write_speed" },
    );
    expect(axisDimension(words, by)).toBe("file_size");
    const { panels } = panelsOf(asked, words, sourcesOf(asked), "file_size", "figure");
    expect(
      panels[0]?.series.map(({ label, points, hollow, dagger }) => [
        label,
        points.length,
        hollow,
        dagger,
      ]),
    ).toEqual([
      ["USB4", 2, false, ""],
      ["USB4, quick", 1, false, ""],
      ["USB4", 1, true, "†"],
    ]);
  });
  it("count a run once, however many sizes it has", () => {
    const flags = [{ code: "quick", severity: "caution" as const, runs: 2 }];
    const notes = flagNotes(answer([at(2e6, { flags }), at(4e6, { flags })], { by }), words);
    expect(notes.get("quick")).toMatchObject({ letter: "a", runs: 2 });
  });
});

describe("words", () => {
  const titled = (metrics: string[], by: string[]) =>
    questionTitle(words, { metrics, by, relative_to: [] });
  it("tell what two titles share once", () => {
    expect(sharedTail(["Write speed, whole run", "Read speed, whole run"])).toEqual({
      heads: ["Write", "Read"],
      tail: "speed, whole run",
    });
    expect(titled(["disk.write_average", "disk.read_average"], ["storage", "encryption"])).toBe(
      "Write and read speed, whole run, by storage and encryption",
    );
    expect(titled(["disk.read_speed"], ["storage", "file_size"])).toBe(
      "Read speed by file size and storage",
    );
    expect(titled(["score.value"], [])).toBe("score.value");
  });
  it("read dimensions in the catalogue's order", () => {
    expect(readingOrder(words, ["encryption", "label:x", "storage"])).toEqual([
      "storage",
      "encryption",
      "label:x",
    ]);
  });
  it("name what they do not know by its own name", () => {
    expect(words.value("storage", "optical")).toBe("optical");
    expect(words.value("encryption", "unknown")).toBe("Encryption not known");
    expect(words.value("virtual", true)).toBe("In a VM");
    expect(words.flag("new_code").severity).toBe("caution");
  });
  it("count letters beyond z", () => {
    expect([0, 25, 26, 52].map(letterOf)).toEqual(["a", "z", "aa", "ba"]);
  });
});

it("a group leads to its runs by what speaks of runs", () => {
  const of = group({ storage: "usb4", file_size: 2e6, encryption: null }, 1e9);
  expect(runsLink(answer([of]), of, words)).toEqual({
    where: ["encryption:", "method:graded-files", "storage:usb4"],
  });
});

describe("curves", () => {
  it("are evaluated as their equations are written", () => {
    expect(valueAt({ model: "power", coefficients: [50, -0.9] }, 1)).toBe(50);
    expect(valueAt({ model: "linear", coefficients: [0.05, 0.26] }, 10)).toBeCloseTo(2.65);
    expect(valueAt({ model: "quadratic", coefficients: [1, 2, 3] }, 2)).toBe(17);
  });
  it("are written in the units of their chart", () => {
    const linear = { model: "linear" as const, coefficients: [46.4e6, 0.264e9] };
    expect(equationIn(linear, 1, 1e9)).toBe("y = 0.0464 + 0.264 x");
    const quadratic = { model: "quadratic" as const, coefficients: [2e9, -1e3, 5e-4] };
    expect(equationIn(quadratic, 1e6, 1e9)).toBe("y = 2 - 1 x + 0.5 x^2");
    const level = { model: "quadratic" as const, coefficients: [1.02e9, 0, 0] };
    expect(equationIn(level, 1, 1e9)).toBe("y = 1.02");
    const power = { model: "power" as const, coefficients: [49.8863, -0.91169] };
    expect(equationIn(power, 1, 1)).toBe("y = 49.8863 x^-0.91169");
    const sizes = { model: "power" as const, coefficients: [3, 2] };
    const written = /^y = (.*) x\^2$/u.exec(equationIn(sizes, 1e6, 1e3))?.[1];
    expect(Number(written) * 4 ** 2 * 1e3).toBeCloseTo(valueAt(sizes, 4e6), -3);
  });
  it("end where they leave the axes", () => {
    const place = { x: (value: number) => value, y: (value: number) => -value };
    const points = [-1, 1, 2, 9, 3].map((y, x) => ({ x, y }));
    expect(curvePath(points, place, [0, 5])).toBe("M1.0 -1.0L2.0 -2.0M4.0 -3.0");
  });
  it("are drawn with their series, and apart from there to the end of the axis", () => {
    const groups = [
      ...[1e6, 2e6, 4e6].map((size) => group({ file_size: size, storage: "usb4" }, size * 1e3)),
      group({ file_size: 8e6, storage: "internal" }, 9e9),
    ];
    const asked = answer(groups, { by: ["file_size", "storage"], metric: "disk.write_speed" });
    asked.results[0]?.fits.push({
      over: "file_size",
      key: { storage: "usb4" },
      published: false,
      method: "graded-files",
      method_version: 1,
      model: "linear",
      coefficients: [0, 1e3],
      equation: "y = 1000 x",
      r2: 1,
      low: 1e6,
      high: 4e6,
      points: 3,
    });
    const [curve] =
      panelsOf(asked, words, sourcesOf(asked), "file_size", "figure").panels[0]?.curves ?? [];
    expect(curve?.label).toBe("USB4");
    expect(curve?.points.at(0)).toEqual({ x: 1e6, y: 1e9 });
    expect(curve?.points.at(-1)).toEqual({ x: 4e6, y: 4e9 });
    expect(curve?.beyond).toHaveLength(1);
    expect(curve?.beyond[0]?.at(0)).toEqual({ x: 4e6, y: 4e9 });
    expect(curve?.beyond[0]?.at(-1)).toEqual({ x: 8e6, y: 8e9 });
  });
});
