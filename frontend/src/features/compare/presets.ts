import type { Facets } from "../../api/types";
import type { Clause } from "../../links/clause";
import type { Sides } from "../../links/sides";
import { onEverything } from "../../figures/sides/sideWords";

/** A common comparison. */
export interface Preset {
  title: string;
  sides: Sides;
}

interface Counted {
  value: string;
  machines: number;
}

/** Minimum number of Macs for a confidence interval. */
const ENOUGH = 6;
const BASE_CHIP = /^Apple M(\d+)$/;

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

/** Comparisons that the data allows: the oldest and newest base chip, and two macOS versions. */
export function presetsOf(facets: Pick<Facets, "dimensions">): Preset[] {
  const valuesOf = (name: string): Counted[] =>
    (facets.dimensions.find((one) => one.name === name)?.values ?? []).flatMap(
      ({ value, machines }) => (typeof value === "string" ? [{ value, machines }] : []),
    );
  const chips = inOrder(valuesOf("chip").filter(({ value }) => BASE_CHIP.test(value)));
  const [oldest, newest] = chips.length > 1 ? [chips[0], chips.at(-1)] : [];
  const [before, latest] = inOrder(valuesOf("os_version")).slice(-2);
  const [usual] = valuesOf("chip").toSorted((a, b) => b.machines - a.machines);
  const found: Preset[] = [];
  if (oldest && newest) {
    found.push({
      title: `${oldest} vs. ${newest}`,
      sides: onEverything([oldest, newest].map((chip) => ({ where: [is("chip", chip)] }))),
    });
  }
  if (before && latest && usual) {
    found.push({
      title: `macOS ${before} vs. ${latest}`,
      sides: onEverything(
        [before, latest].map((version) => ({ where: [is("os_version", version)] })),
        [is("chip", usual.value)],
      ),
    });
  }
  return found;
}

/** Values from old to new: those with enough Macs, if there are at least two. */
function inOrder(all: Counted[]): string[] {
  const enough = all.filter(({ machines }) => machines >= ENOUGH);
  return (enough.length > 1 ? enough : all)
    .map(({ value }) => value)
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
