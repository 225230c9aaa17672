import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { facetsQuery } from "../api/queries";
import type { Catalog, Facets } from "../api/types";
import { listed, type Words } from "../figures/words";
import { parseQuestion } from "../links/question";
import type { SearchLists } from "../links/search";
import { type Choice, choicesWithWords, type Section } from "../ui/Combobox";
import { Picker } from "../ui/Picker";
import { groupedIn, keptIn, regrouped, remeasured, type Shown, topicOf } from "./reasked";
import styles from "./Toolbar.module.css";
import { questionsOf, type Topic, type Topics } from "./view";

interface GroupProps {
  shown: Shown;
  topic: Topic;
  words: Words;
  /** Ask on this topic's page or on another's. */
  onAsk: (search: SearchLists, path: Topic["path"]) => void;
}

interface Props extends GroupProps {
  topics: Topics;
  catalog: Catalog;
}

/** What is asked, to be asked otherwise: the metric, and what its figures are grouped by. */
export function Toolbar(props: Props) {
  const { shown, topic, words, onAsk } = props;
  return (
    <div className={styles.bar} role="group" aria-label="Question">
      <MetricPicker {...props} />
      <GroupPickers shown={shown} topic={topic} words={words} onAsk={onAsk} />
    </div>
  );
}

function MetricPicker({ shown, topic, topics, catalog, words, onAsk }: Props) {
  const { metrics } = shown.question;
  const [text, setText] = useState("");
  const [opened, setOpened] = useState(false);
  const inScope = shown.question.where.filter(({ dimension }) => dimension === SCOPE);
  const { data } = useQuery({
    ...facetsQuery({ metrics: [], where: inScope, flagged: shown.question.flagged }),
    enabled: opened,
  });
  const measured = useMemo(() => data && new Set(data.metrics), [data]);
  const sections = useMemo(() => {
    const homes = Map.groupBy(catalog.metrics, ({ name }) => topicOf(topics, name, topic));
    return [topic, ...topics.filter((candidate) => candidate !== topic), undefined].map((home) => ({
      title: home?.title ?? "Other",
      choices: (homes.get(home) ?? []).map(
        ({ name, title }): Choice => ({
          id: name,
          text: title,
          current: metrics.length === 1 && metrics[0] === name,
          ...(measured && !measured.has(name) ? { note: "no results yet" } : {}),
        }),
      ),
    }));
  }, [catalog, topics, topic, metrics, measured]);
  const typed = usePairs(text, sections, words, shown.question.flagged);
  return (
    <Picker
      label="Metric"
      value={words.metricsTitle(metrics)}
      placeholder="Search, e.g. read speed by device"
      hotkey="m"
      sections={sections}
      typed={typed}
      onOpen={() => setOpened(true)}
      onText={setText}
      onChoose={(id) => {
        const [metric = "", ...group] = id.split(BY);
        const by = group.length > 0 ? group : undefined;
        onAsk(remeasured(shown, metric, words, by), (topicOf(topics, metric, topic) ?? topic).path);
      }}
    />
  );
}

const BY = " by ";
/** The dimension whose filter isn't about runs, but about whose they are. */
const SCOPE = "fleet";
/** Number of metrics whose groups are looked up while a reader types. */
const LOOKED_UP = 3;
const SHOWN = 12;

/**
 * "Write speed by enclosure", or "… by storage by enclosure": for what is typed before and after
 * "by", what was measured so.
 */
function usePairs(
  text: string,
  sections: readonly Section[],
  words: Words,
  flagged: Shown["question"]["flagged"],
): Section | undefined {
  const { metrics, by } = typedIn(
    text,
    sections.flatMap(({ choices }) => choices),
  );
  const facets = useQueries({
    queries: metrics.map(({ id }) => facetsQuery({ metrics: [id], where: [], flagged })),
  });
  // All at once: a choice that moved as others arrive would be another one under the pointer.
  if (metrics.length === 0 || facets.some(({ isPending }) => isPending)) return undefined;
  const choices = metrics.flatMap((metric, index) => {
    const dimensions = several(facets[index]?.data, words);
    return grouped(by.map((name) => choicesWithWords(dimensions, name).map(({ id }) => id))).map(
      (group): Choice => ({
        id: [metric.id, ...group].join(BY),
        text: [metric.text, ...group.map((name) => words.dimensionInside(name))].join(BY),
      }),
    );
  });
  return { title: "Metric by group", choices: choices.slice(0, SHOWN) };
}

/** Metrics that are typed, and what is after "by": metrics have that word in their names too. */
function typedIn(text: string, all: readonly Choice[]): { metrics: Choice[]; by: string[] } {
  const parts = text.trim().split(/\s+by\s+/i);
  for (const groups of [1, 2]) {
    const what = parts.slice(0, -groups).join(BY);
    const metrics = what ? choicesWithWords(all, what) : [];
    if (metrics.length > 0) {
      return { metrics: metrics.slice(0, LOOKED_UP), by: parts.slice(-groups) };
    }
  }
  return { metrics: [], by: [] };
}

/** Groups of one dimension of each list, all different. */
function grouped(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (groups, names) =>
      groups.flatMap((group) =>
        names.filter((name) => !group.includes(name)).map((name) => [...group, name]),
      ),
    [[]],
  );
}

function GroupPickers({ shown, topic, words, onAsk }: GroupProps) {
  const [opened, setOpened] = useState(false);
  const keptNames = keptIn(shown);
  const now = groupedIn(shown);
  const room = words.mostGrouped - keptNames.length;
  const { data } = useQuery({
    ...facetsQuery(unfixed(topic, shown)),
    // Before a picker is opened, nobody needs it.
    enabled: opened,
  });
  const others = several(data, words).filter(({ id }) => !keptNames.includes(id));
  if (room < 1) return null;
  const ask = (group: string[], how?: { exactly: boolean }) =>
    onAsk(regrouped(shown, group, how), topic.path);
  const title = (names: readonly string[]) =>
    listed(
      names.map((name, index) =>
        index === 0 ? words.dimensionTitle(name) : words.dimensionInside(name),
      ),
    );
  const own = shown.view?.preset.by.filter((name) => !keptNames.includes(name)) ?? [];
  const first = others.filter(({ id }) => words.has(id, "groups_first"));
  const choice = (names: readonly string[]): Choice => ({
    id: names.join(BY),
    text: title(names),
    current: isSame(names, now),
  });
  const sections = [
    { choices: [...(own.length > 0 ? [own] : []), ...first.map(({ id }) => [id])].map(choice) },
    { title: "All", choices: others.map(({ id }) => choice([id])) },
  ];
  return (
    <>
      <Picker
        label="Group by"
        value={title(now.length > 0 ? now : keptNames)}
        placeholder="Search"
        hotkey="g"
        before={1}
        sections={sections}
        onOpen={() => setOpened(true)}
        onChoose={(id) => ask(id.split(BY))}
      />
      {now.length > 0 && (now.length < room || now.length > 1) ? (
        <Picker
          label="Split by"
          value="+"
          placeholder="Search"
          sections={[
            {
              title: "Split by",
              choices: now.length < room ? others.filter(({ id }) => !now.includes(id)) : [],
            },
            {
              title: "Remove",
              choices:
                now.length > 1
                  ? now.map((name) => ({ id: `-${name}`, text: words.dimensionTitle(name) }))
                  : [],
            },
          ]}
          onOpen={() => setOpened(true)}
          onChoose={(id) =>
            id.startsWith("-")
              ? ask(
                  now.filter((name) => `-${name}` !== id),
                  { exactly: true },
                )
              : ask([...now, id])
          }
        />
      ) : null}
    </>
  );
}

/** The question as it would be regrouped, before the next page chooses filters. */
function unfixed(topic: Topic, shown: Shown) {
  const search = regrouped(shown, groupedIn(shown));
  const [question] = questionsOf(topic, parseQuestion(search), search.view?.[0], search.group);
  return question;
}

/** Dimensions with several values. */
function several(facets: Facets | undefined, words: Words): Choice[] {
  return (facets?.dimensions ?? [])
    .filter(({ distinct }) => distinct > 1)
    .map(({ name }) => ({ id: name, text: words.dimensionTitle(name) }));
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.toSorted().join() === b.toSorted().join();
