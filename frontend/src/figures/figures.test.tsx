import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Chart, Figure } from "../api/types";
import { FigureView } from "./FigureView";
import GridFigure from "./GridFigure";

it("says what confounds an answer above its charts, in red", () => {
  const text = "Confounded by quality of service in 1 of 2 ratios.";
  const notes = [
    { code: "confounded", text },
    { code: "held", text: "Held." },
  ];
  const figure: Figure = { title: "", text: "", runs: 1, charts: [], notes };
  render(<FigureView figure={figure} asOf="" runsOf={() => ({})} />);
  expect(screen.getByText(text).closest(".caution")?.getAttribute("data-grade")).toBe("confounded");
  expect(screen.queryByText("Held.")).toBeNull();
});

it("shades ratios by their size, in a hue for each sign", () => {
  const shades = [-1, -0.5, 0, 0.5];
  const chart: Chart = {
    kind: "cases",
    title: "",
    unit: "%",
    measure: "ratio",
    up: { title: "%", low: 0, high: 2, ticks: [] },
    cases: shades.map((_, at) => ({
      label: `${at}`,
      lanes: [{ id: `${at}`, mark: "square", text: `${at}` }],
    })),
    grid: {
      title: "Chip",
      columns: ["fp64"],
      rows: shades.map((shade, at) => ({ label: `row ${at}`, cells: [{ lane: `${at}`, shade }] })),
    },
  };
  render(<GridFigure chart={chart} />);
  // The unit is the caption's, apart from what the rows are.
  expect(screen.getByRole("columnheader", { name: "Chip" }).tagName).toBe("TH");
  expect(screen.getByRole("caption").textContent).toContain("%");
  const styles = screen.getAllByRole("cell").map((cell) => cell.getAttribute("style") ?? "");
  expect(styles.map((style) => /--shade: *(\d+%)/.exec(style)?.[1])).toEqual([
    "100%",
    "50%",
    "0%",
    "50%",
  ]);
  expect(styles.map((style) => style.includes("--heat-below"))).toEqual([true, true, false, false]);
});
