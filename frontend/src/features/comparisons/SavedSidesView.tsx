import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { compareQuery } from "../../api/queries";
import type { SavedSides } from "../../api/types";
import { parseSearch } from "../../links/search";
import { parseSides, sidesSearch } from "../../links/sides";
import { Skeleton } from "../../ui/Skeleton";
import { FIGURE_HEIGHT } from "../../figures/heights";
import { ProblemNotice } from "../../ui/ProblemNotice";
import type { Words } from "../../figures/words";
import { ComparedView } from "../../figures/sides/ComparedView";
import { SavedActions } from "./SavedActions";

interface Props {
  saved: SavedSides;
  /** Whether to show today's figures instead of the frozen ones. */
  live: boolean;
  words: Words;
}

/** A saved comparison of sides: frozen or live. */
export function SavedSidesView({ saved, live, words }: Props) {
  const { canonical } = saved.question;
  const sides = useMemo(() => parseSides(parseSearch(canonical)), [canonical]);
  const current = useQuery({ ...compareQuery(sides), enabled: live });
  const compared = live ? current.data : saved.answer;
  const figure = live ? current.data?.figure : saved.figure;
  if (live && current.error) return <ProblemNotice error={current.error} />;
  if (!compared || !figure) return <Skeleton height={FIGURE_HEIGHT} lines={18} />;
  return (
    <ComparedView
      compared={compared}
      figure={figure}
      words={words}
      state={live ? "live" : "frozen"}
      actions={
        <SavedActions
          saved={saved}
          liveFile={live ? `/api/v1/compare.csv?${canonical}` : undefined}
          to="/compare"
          search={sidesSearch(sides)}
        />
      }
    />
  );
}
