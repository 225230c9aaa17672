import type { Comparison } from "../../api/types";
import { parseSearch } from "../../links/search";
import { parseSides } from "../../links/sides";
import { questionTitle, type Words } from "../../figures/words";
import { sidesTitle } from "../../figures/sides/sideWords";

/** The owner's title, else the question in words. */
export function savedTitle(saved: Comparison, words: Words): string {
  if (saved.title) return saved.title;
  switch (saved.kind) {
    case "question":
      return questionTitle(words, saved.question);
    case "sides":
      return sidesTitle(words, parseSides(parseSearch(saved.question.canonical)));
  }
}
