import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { rankQuery } from "../../api/machines";
import type { RunDetail } from "../../api/types";
import { parseClause } from "../../links/clause";
import type { SearchLists } from "../../links/search";
import type { Words } from "../../figures/words";
import { choicesOfRun, firstOf } from "../../figures/choices";
import { PlacePanel } from "../../figures/PlacePanel";
import { traitsOf } from "../../figures/similar";
import { Skeleton } from "../../ui/Skeleton";
import { isRanked } from "./RunRank";

interface Props {
  run: RunDetail;
  fleet: string | undefined;
  words: Words;
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** The first doubt about a run, or about its results of a metric. */
export function doubtOf(
  { flags, results }: Pick<RunDetail, "flags" | "results">,
  metric: string,
): RunDetail["flags"][number] | undefined {
  const ofMetric = results.filter((result) => result.metric === metric);
  return [...flags, ...ofMetric.flatMap((result) => result.flags)].find(
    ({ severity }) => severity === "doubt",
  );
}

/** The run's percentile among similar Macs; to begin with, among those of its rank. */
export function RunPercentile({ run, fleet, words, search, onSearch }: Props) {
  const choices = useMemo(() => choicesOfRun(run), [run]);
  const chosen = choices.find(({ id }) => id === search.show?.[0]) ?? firstOf(choices);
  const rank = useQuery({ ...rankQuery(run.id), enabled: isRanked(run) });
  if (!chosen || run.machine.unspecified || run.withdrawn) return null;
  if (rank.isLoading) return <Skeleton height="20rem" lines={8} />;
  const traits = traitsOf(run.similar, words);
  const rankedAmong = rank.data?.ranks[0]?.where.flatMap((text) => parseClause(text) ?? []);
  const doubt = doubtOf(run, chosen.metric);
  return (
    <PlacePanel
      placed={{ run: run.id }}
      fleet={fleet}
      choices={choices}
      chosen={chosen}
      onChoose={(id) => onSearch({ ...search, show: [id] })}
      traits={traits}
      like={
        search.like ??
        (rankedAmong ?? traits)
          .map(({ dimension }) => dimension)
          .filter((name) => rankedAmong ?? words.has(name, "like"))
      }
      unplaced={doubt ? `No percentile: this run ${doubt.sentence}.` : undefined}
      onLike={(next) => onSearch({ ...search, like: next.length > 0 ? next : [""] })}
      words={words}
    />
  );
}
