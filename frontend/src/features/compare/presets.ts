import type { Facets } from "../../api/types";
import type { Clause } from "../../links/clause";
import type { Sides } from "../../links/sides";
import { onEverything } from "../../figures/sides/sideWords";
import { countedIn, oldToNew } from "../../figures/counted";

/** A common comparison. */
export interface Preset {
  title: string;
  sides: Sides;
}

const BASE_CHIP = /^Apple M(\d+)$/;

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

/** Comparisons that the data allows: the oldest and newest base chip, and two macOS versions. */
export function presetsOf(facets: Pick<Facets, "dimensions">): Preset[] {
  const chips = oldToNew(countedIn(facets, "chip").filter(({ value }) => BASE_CHIP.test(value)));
  const [oldest, newest] = chips.length > 1 ? [chips[0], chips.at(-1)] : [];
  const [before, latest] = oldToNew(countedIn(facets, "os_version")).slice(-2);
  const [usual] = countedIn(facets, "chip").toSorted((a, b) => b.machines - a.machines);
  const presets: Preset[] = [];
  if (oldest && newest) {
    presets.push({
      title: `${oldest} vs. ${newest}`,
      sides: onEverything([oldest, newest].map((chip) => ({ where: [is("chip", chip)] }))),
    });
  }
  if (before && latest && usual) {
    presets.push({
      title: `macOS ${before} vs. ${latest}`,
      sides: onEverything(
        [before, latest].map((version) => ({ where: [is("os_version", version)] })),
        [is("chip", usual.value)],
      ),
    });
  }
  return presets;
}
