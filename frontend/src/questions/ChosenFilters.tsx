import type { Clause } from "../links/clause";
import { printClause } from "../links/clause";
import { listed, type Words } from "../figures/words";

interface Props {
  words: Words;
  where: readonly Clause[];
  fixed: readonly string[];
  /** Whether these are ratios, which limited the choice to values that have any. */
  relative?: boolean;
}

/** Note that names the filters the page chose itself, and why. */
export function ChosenFilters({ words, where, fixed, relative = false }: Props) {
  const chosen = where.filter((clause) => fixed.includes(printClause(clause)));
  if (chosen.length === 0) return null;
  const titles = chosen.map(({ dimension }) => words.dimensionInside(dimension));
  const names = [...new Set(titles)];
  return (
    <p className="quiet">
      To compare like with like, this page starts with the {listed(names)} of most Macs{" "}
      {relative ? "that can be compared here" : "here"}. Remove a filter to see more.
    </p>
  );
}
