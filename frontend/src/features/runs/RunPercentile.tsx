import { useMemo } from "react";
import type { RunDetail } from "../../api/types";
import type { SearchLists } from "../../links/search";
import type { Words } from "../../figures/words";
import { choicesOfRun, firstOf } from "../../figures/choices";
import { PlacePanel } from "../../figures/PlacePanel";
import { traitsOf } from "../../figures/similar";

interface Props {
  run: RunDetail;
  fleet: string | undefined;
  words: Words;
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** The run's percentile among similar Macs. */
export function RunPercentile({ run, fleet, words, search, onSearch }: Props) {
  const choices = useMemo(() => choicesOfRun(run), [run]);
  const chosen = choices.find(({ id }) => id === search.show?.[0]) ?? firstOf(choices);
  if (!chosen || run.machine.unspecified || run.withdrawn) return null;
  const traits = traitsOf(run.similar, words);
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
        traits.map(({ dimension }) => dimension).filter((name) => words.has(name, "like"))
      }
      onLike={(next) => onSearch({ ...search, like: next.length > 0 ? next : [""] })}
      words={words}
    />
  );
}
