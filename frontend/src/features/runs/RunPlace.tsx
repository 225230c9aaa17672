import { useMemo } from "react";
import type { RunDetail } from "../../api/types";
import type { Clause } from "../../links/clause";
import type { SearchLists } from "../../links/search";
import type { Words } from "../../figures/words";
import { choicesOfRun } from "../../figures/choices";
import { PlacePanel } from "../../figures/PlacePanel";

interface Props {
  run: RunDetail;
  words: Words;
  search: SearchLists;
  onSearch: (search: SearchLists) => void;
}

/** The run's percentile among similar Macs. */
export function RunPlace({ run, words, search, onSearch }: Props) {
  const choices = useMemo(() => choicesOfRun(run), [run]);
  const chosen = choices.find(({ id }) => id === search.show?.[0]) ?? choices[0];
  if (!chosen || run.machine.unspecified || run.withdrawn) return null;
  const traits = traitsOf(run);
  return (
    <PlacePanel
      placed={{ run: run.id }}
      what="run"
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

function traitsOf({ machine, storage, encryption, image_format, os_version, virtual }: RunDetail) {
  const stated: Record<string, unknown> = {
    chip: machine.chip,
    virtual,
    storage,
    encryption,
    image_format,
    os_version,
  };
  return Object.entries(stated).flatMap(([dimension, value]): Clause[] =>
    value === null || value === undefined ? [] : [{ dimension, op: "is", value: String(value) }],
  );
}
