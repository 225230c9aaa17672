import { useFilters } from "../figures/filters";
import { listed, type Words } from "../figures/words";
import { counted } from "../ui/format";
import { type Clause, parseClause, printClause } from "../links/clause";

interface Props {
  words: Words;
  where: readonly Clause[];
  fixed: readonly string[];
  /** Number of cases that these leave out. */
  hidden?: number;
  /** Filters with which a picked question would be empty, as printed in addresses. */
  dropped?: readonly string[];
}

const NONE: readonly string[] = [];

/** Notes on the filters that the page chose itself, and on those that it dropped, and why. */
export function ChosenFilters({ words, where, fixed, hidden = 0, dropped = NONE }: Props) {
  const chosen = where.filter((clause) => fixed.includes(printClause(clause)));
  const titles = chosen.map(({ dimension }) => words.dimensionInside(dimension));
  const names = [...new Set(titles)];
  const { told } = useFilters(
    dropped.flatMap((one) => parseClause(one) ?? []),
    words,
  );
  return (
    <>
      {names.length > 0 ? (
        <p className="quiet">
          To compare like with like, this page opens with the {listed(names)} of most Macs here.
          {hidden > 0 ? ` This leaves out ${counted(hidden, "case")}.` : ""} Change or remove the
          filters above to see more.
        </p>
      ) : null}
      {told.length > 0 ? (
        <p className="quiet">
          No result of this metric matches <bdi>{listed(told)}</bdi>, so{" "}
          {dropped.length > 1 ? "these filters are" : "this filter is"} off.
        </p>
      ) : null}
    </>
  );
}
