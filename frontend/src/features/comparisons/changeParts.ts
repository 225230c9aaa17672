import type { Answer, Compared } from "../../api/types";
import { type Mark, marksOf } from "../../figures/charts/marks";
import { methodName, rowName } from "../../figures/sides/sideWords";
import { caseLabel, readingOrder, type Words } from "../../figures/words";
import { changesOf } from "../../figures/changes";

/** What is compared of a group or a side's cell, then and now. */
export interface Figure {
  median?: number | null;
  machines?: number | null;
  runs?: number | null;
  ratio?: { value: number } | null;
}

export interface ChangeRow {
  id: string;
  label: string;
  hollow: boolean;
  frozen: Figure | undefined;
  live: Figure | undefined;
  /** The live figure over the frozen one. */
  ratio: number | undefined;
}

/** The figures of one metric; for sides, also of one method. */
export interface ChangePart {
  id: string;
  title: string;
  unit: string;
  mark: Mark;
  /** Whether the figures shown are ratios to a reference. */
  relative: boolean;
  rows: ChangeRow[];
}

export function answerParts(frozen: Answer, live: Answer, words: Words): ChangePart[] {
  const dimensions = readingOrder(words, frozen.question.by);
  const metrics = Map.groupBy(changesOf(frozen, live), ({ metric }) => metric);
  const marks = marksOf([...metrics.keys()], words.roles);
  return [...metrics].map(([metric, changes]) => ({
    id: metric,
    title: words.metricTitle(metric),
    unit: words.metric(metric)?.unit ?? "",
    mark: marks.get(metric) ?? "circle",
    relative: frozen.question.relative_to.length > 0,
    rows: changes.map(({ id, key, published, frozen: then, live: now, ratio }) => ({
      id,
      label: `${caseLabel(words, dimensions, key) || "All"}${published ? " †" : ""}`,
      hollow: published,
      frozen: then,
      live: now,
      ratio,
    })),
  }));
}

/** Every side's own figure; rows of methods that are new come last. */
export function sideParts(
  frozen: Compared,
  live: Compared,
  names: string[],
  words: Words,
): ChangePart[] {
  const byTitle = new Map<string, ChangePart>();
  const marks = marksOf(
    [...frozen.rows, ...live.rows].map(({ metric }) => metric),
    words.roles,
  );
  for (const time of ["frozen", "live"] as const) {
    for (const row of (time === "frozen" ? frozen : live).rows) {
      const title = [rowName(words, row), methodName(row)].filter(Boolean).join(" · ");
      const part = byTitle.get(title) ?? {
        id: title,
        title,
        unit: row.unit,
        mark: marks.get(row.metric) ?? "circle",
        relative: false,
        rows: names.map((label, side) => ({
          id: String(side + 1),
          label,
          hollow: row.published ?? false,
          frozen: undefined,
          live: undefined,
          ratio: undefined,
        })),
      };
      const rows = part.rows.map((one) => {
        const cell = row.cells.find(({ side }) => String(side) === one.id);
        return cell && !cell.missing ? { ...one, [time]: cell } : one;
      });
      byTitle.set(title, { ...part, rows });
    }
  }
  return [...byTitle.values()].flatMap((part) => {
    const rows = part.rows.filter(({ frozen: then, live: now }) => then ?? now).map(withRatio);
    return rows.length > 0 ? [{ ...part, rows }] : [];
  });
}

function withRatio(row: ChangeRow): ChangeRow {
  const then = row.frozen?.median;
  const now = row.live?.median;
  return { ...row, ratio: then && now ? now / then : undefined };
}
