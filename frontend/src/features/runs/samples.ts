import type { RunResult } from "../../api/types";
import type { Sample } from "../../figures/charts/sample";

export interface SamplePanel {
  metric: string;
  title: string;
  unit: string;
  samples: Sample[];
}

/** Results whose samples can be drawn one by one, joined by metric: those that know their order. */
export function sampled(results: RunResult[]): SamplePanel[] {
  const panels = new Map<string, SamplePanel>();
  for (const result of results) {
    const { positions } = result;
    if (!positions || positions.length !== result.values.length) continue;
    const panel = panels.get(result.metric) ?? {
      metric: result.metric,
      title: result.title,
      unit: result.unit,
      samples: [],
    };
    const size = result.parameters.file_size;
    result.values.forEach((value, place) => {
      panel.samples.push({
        position: positions[place] ?? 0,
        value,
        ...(typeof size === "number" ? { fileSize: size } : {}),
      });
    });
    panels.set(result.metric, panel);
  }
  for (const panel of panels.values()) panel.samples.sort((a, b) => a.position - b.position);
  return [...panels.values()].filter((panel) => panel.samples.length > 1);
}
