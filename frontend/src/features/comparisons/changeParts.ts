import type { Case, Comparison, Figure, FrozenAnswer, FrozenSides, Lane } from "../../api/types";
import type { Mark } from "../../figures/charts/marks";
import type { Words } from "../../figures/words";

/** A figure then or now, as it is printed, and its exact number. */
export interface Told {
  text: string;
  exact: number | undefined;
  machines: number;
  runs: number;
}

export interface ChangeRow {
  id: string;
  label: string;
  hollow: boolean;
  frozen?: Told;
  live?: Told;
  /** The live figure over the frozen one. */
  ratio: number | undefined;
}

/** The figures of one metric, of sides also of one method. */
export interface ChangePart {
  title: string;
  mark: Mark;
  rows: ChangeRow[];
}

/** What a figure says, and the numbers that it is of. */
export interface Shown {
  answer: Comparison["answer"];
  figure: Figure;
}

/** Every figure of both, in the frozen one's order; what is new comes last. */
export function changeParts(frozen: Shown, live: Shown, words: Words): ChangePart[] {
  const parts = new Map<string, ChangePart>();
  const rows = new Map<string, ChangeRow>();
  for (const [time, shown] of [["frozen", frozen] as const, ["live", live] as const]) {
    for (const { id, title, label, lane, told } of linesOf(shown, words)) {
      const part = parts.get(title) ?? { title, mark: lane.mark, rows: [] };
      parts.set(title, part);
      const row = rows.get(id) ?? { id, label, hollow: lane.hollow ?? false, ratio: undefined };
      if (!rows.has(id)) part.rows.push(row);
      row[time] = told;
      rows.set(id, row);
    }
  }
  for (const row of rows.values()) {
    const [then, now] = [row.frozen?.exact, row.live?.exact];
    row.ratio = then && now ? now / then : undefined;
  }
  return [...parts.values()];
}

interface Line {
  id: string;
  title: string;
  label: string;
  lane: Lane;
  told: Told;
}

function linesOf({ answer, figure }: Shown, words: Words): Line[] {
  const sides = "rows" in answer;
  return figure.charts.flatMap(({ cases = [] }) => {
    let heading = "";
    return cases.flatMap((of) => {
      heading = of.heading || heading;
      return of.lanes.flatMap((lane) => {
        const told = sides ? toldOfSide(answer, lane) : toldOfGroup(answer, lane);
        if (!told) return [];
        const title = sides ? heading : words.metricTitle(lane.metric ?? "");
        const name = sides ? of.label : nameOf(heading, of, lane);
        return [
          { id: [title, name, lane.cells?.method].join("|"), title, label: name, lane, told },
        ];
      });
    });
  });
}

function nameOf(heading: string, { label }: Case, { hollow, apart }: Lane): string {
  const name = [heading, label, apart].filter(Boolean).join(" · ");
  return hollow ? `${name} †` : name;
}

function toldOfGroup({ results, question }: FrozenAnswer, lane: Lane): Told | undefined {
  const [place = "", number = ""] = lane.id.split(".");
  const group = results[Number(place)]?.groups[Number(number)];
  if (!group) return undefined;
  const exact = question.relative_to.length > 0 ? group.ratio?.value : group.median;
  return { text: lane.full ?? lane.text, exact, machines: group.machines, runs: group.runs };
}

function toldOfSide({ rows }: FrozenSides, lane: Lane): Told | undefined {
  const [place = "", number = ""] = lane.id.split(".");
  const cell = rows[Number(place)]?.cells.find(({ side }) => side === Number(number));
  if (!cell || cell.missing) return undefined;
  const { median, machines, runs } = cell;
  const text = lane.cells?.median ?? "";
  return { text, exact: median ?? undefined, machines: machines ?? 0, runs: runs ?? 0 };
}
