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
import type { Shown } from "./ComparisonPage";
import { changeParts } from "./changeParts";
import { SavedActions } from "./SavedActions";
import { SideBySide } from "./SideBySide";

interface Props {
  saved: SavedSides;
  shown: Shown;
  words: Words;
}

/** A saved comparison of sides: frozen, live, or both. */
export function SavedSidesView({ saved, shown, words }: Props) {
  const { canonical } = saved.question;
  const asked = useMemo(() => parseSides(parseSearch(canonical)), [canonical]);
  const live = shown === "live";
  const today = useQuery({ ...compareQuery(asked), enabled: shown !== "frozen" });
  const compared = live ? today.data : saved.answer;
  const figure = live ? today.data?.figure : saved.figure;
  if (shown !== "frozen" && today.error) return <ProblemNotice error={today.error} />;
  if (!compared || !figure || (shown === "both" && !today.data)) {
    return <Skeleton height={FIGURE_HEIGHT} lines={18} />;
  }
  if (shown === "both" && today.data) {
    const now = { answer: today.data, figure: today.data.figure };
    return <SideBySide parts={changeParts(saved, now, words)} />;
  }
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
          search={sidesSearch(asked)}
        />
      }
    />
  );
}
