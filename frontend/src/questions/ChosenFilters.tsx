import type { Clause } from "../links/clause";
import { printClause } from "../links/clause";
import { listed, type Words } from "../figures/words";

interface Props {
  words: Words;
  where: readonly Clause[];
  fixed: readonly string[];
}

/** Note that names the filters the page chose itself, and why. */
export function ChosenFilters({ words, where, fixed }: Props) {
  const chosen = where.filter((clause) => fixed.includes(printClause(clause)));
  if (chosen.length === 0) return null;
  const titles = chosen.map(({ dimension }) => words.dimensionInside(dimension));
  const names = [...new Set(titles)];
  return (
    <p className="quiet">
      To compare like with like, this page opens with the {listed(names)} of most Macs here. Change
      or remove the filters above to see more.
    </p>
  );
}
