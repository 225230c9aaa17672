import { useFilters } from "../figures/filters";
import { listed, type Words } from "../figures/words";
import { counted } from "../ui/format";
import { type Clause, parseClause, printClause } from "../links/clause";

interface ChosenProps {
  words: Words;
  where: readonly Clause[];
  fixed: readonly string[];
}

/** Why the page opens with filters of its own; nothing if it has none. */
export function ChosenFilters({ words, where, fixed }: ChosenProps) {
  const filters = where.filter((clause) => fixed.includes(printClause(clause)));
  const names = [...new Set(filters.map(({ dimension }) => words.dimensionInside(dimension)))];
  if (names.length === 0) return null;
  return (
    <p className="quiet">
      To compare like with like, this page opens with the {listed(names)} of most Macs here.
    </p>
  );
}

interface LostProps {
  words: Words;
  /** Number of cases that the page's own filters leave out. */
  hidden: number;
  /** Filters with which a picked question would be empty, as printed in addresses. */
  dropped: readonly string[];
}

/** How many cases the page's own filters leave out, and which filters it dropped. */
export function LostCases({ words, hidden, dropped }: LostProps) {
  const { byDimension } = useFilters(
    dropped.flatMap((filter) => parseClause(filter) ?? []),
    words,
  );
  return (
    <>
      {hidden > 0 ? (
        <p className="caution">
          The filters that this page opens with leave out {counted(hidden, "case")}.
        </p>
      ) : null}
      {byDimension.length > 0 ? (
        <p className="caution">
          No result of this metric matches <bdi>{listed(byDimension)}</bdi>, so{" "}
          {dropped.length > 1 ? "these filters are" : "this filter is"} off.
        </p>
      ) : null}
    </>
  );
}
