import { Link } from "@tanstack/react-router";
import type { Facets } from "../api/types";
import { listed, type Words } from "../figures/words";
import { printClause } from "../links/clause";
import { type Question, toSearch } from "../links/question";
import type { SearchLists } from "../links/search";
import styles from "./GroupBy.module.css";
import { keptBy, type Topic, type View } from "./view";

interface Props {
  topic: Topic;
  view: View;
  question: Question;
  /** Filters that the page chose itself: another grouping chooses its own. */
  fixed: readonly string[];
  facets: Facets | undefined;
  words: Words;
  onAsk: (search: SearchLists) => void;
}

/** Grouping of the figures: the view's own dimensions, or others with several values. */
export function GroupBy({ topic, view, question, fixed, facets, words, onAsk }: Props) {
  const kept = keptBy(view);
  const own = view.preset.by.filter((name) => !kept.includes(name));
  const now = question.by.filter((name) => !kept.includes(name));
  const room = words.mostGrouped - kept.length;
  if (room < 1) return null;
  const several = (facets?.dimensions ?? [])
    .filter(({ name, distinct }) => distinct > 1 && !kept.includes(name))
    .map(({ name }) => name);
  const searchOf = (group: string[]) => ({
    ...toSearch({
      ...question,
      where: question.where.filter((clause) => !fixed.includes(printClause(clause))),
      metrics: [],
      by: [],
      relativeTo: [],
      fit: undefined,
    }),
    view: [view.id],
    ...(isSame(group, own) ? {} : { group }),
  });
  const first = words
    .having("groups_first")
    .filter((name) => !kept.includes(name) && !isSame([name], own));
  const others = several.filter((name) => !first.includes(name));
  const current = (group: string[]) => (isSame(group, now) ? ("true" as const) : undefined);
  const isOther = !isSame(now, own) && !first.some((name) => isSame([name], now));
  const title = (names: string[]) =>
    listed(
      names.map((name, place) =>
        place === 0 ? words.dimensionTitle(name) : words.dimensionInside(name),
      ),
    );
  return (
    <div className={`row ${styles.group}`} role="group" aria-label="Group by">
      <span className={styles.name}>Group by</span>
      {[...(own.length > 0 ? [own] : []), ...first.map((name) => [name])].map((group) => (
        <Link
          key={group.join()}
          to={topic.path}
          search={searchOf(group)}
          aria-current={current(group)}
        >
          {title(group)}
        </Link>
      ))}
      <select
        aria-label="Group by another dimension"
        className={styles.more}
        data-chosen={isOther || undefined}
        value={isOther && now.length === 1 ? now[0] : ""}
        onChange={({ target }) => onAsk(searchOf([target.value]))}
      >
        <option value="" disabled>
          {isOther && now.length > 1 ? title(now) : "Other"}
        </option>
        {others.map((name) => (
          <option key={name} value={name}>
            {words.dimensionTitle(name)}
          </option>
        ))}
      </select>
      {now.length > 0 && now.length < room ? (
        <select
          aria-label="Split by a second dimension"
          className={styles.more}
          value=""
          onChange={({ target }) => onAsk(searchOf([...now, target.value]))}
        >
          <option value="" disabled>
            Split by
          </option>
          {several
            .filter((name) => !now.includes(name))
            .map((name) => (
              <option key={name} value={name}>
                {words.dimensionTitle(name)}
              </option>
            ))}
        </select>
      ) : null}
    </div>
  );
}

const isSame = (a: string[], b: string[]) => a.toSorted().join() === b.toSorted().join();
