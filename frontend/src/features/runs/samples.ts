import type { RunDetail, SamplesPanel } from "../../api/types";
import type { Sample } from "../../figures/charts/sample";

export interface SampledPanel extends SamplesPanel {
  samples: Sample[];
}

/** Results with individual samples, grouped by metric, in the order measured. */
export function samplePanels({
  results,
  words,
}: Pick<RunDetail, "results" | "words">): SampledPanel[] {
  return words.samples.map((panel) => {
    const samples = results.flatMap(({ metric, values, positions, parameters }, index) => {
      if (metric !== panel.metric || positions?.length !== values.length) return [];
      const size = parameters.file_size;
      return values.map(
        (value, position): Sample => ({
          position: positions[position] ?? 0,
          value,
          parameters: words.results[index]?.parameters ?? "",
          ...(typeof size === "number" ? { fileSize: size } : {}),
        }),
      );
    });
    return { ...panel, samples: samples.toSorted((a, b) => a.position - b.position) };
  });
}
