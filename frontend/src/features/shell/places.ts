import type { Catalog, Machines, PublishedSources, Hardware } from "../../api/types";
import { printSearch, type SearchLists } from "../../links/search";
import type { Topics } from "../../questions/view";
import { LIST_PAGES, OTHER_PAGES, TOPIC_PAGES } from "./pages";

const ADD = ["/add", "Measure your Mac"] as const;

/** A search result. */
export interface Place {
  /** Its kind: "View", "Chip". */
  kind: string;
  title: string;
  /** Searchable words that are not shown. */
  also?: string;
  href: string;
}

const hrefOf = (path: string, search: SearchLists = {}) => {
  const text = printSearch(search);
  return text ? `${path}?${text}` : path;
};

/** Pages and views, which need no request. */
export function pagesAndViews(topics: Topics, catalog: Catalog | undefined): Place[] {
  const titles = new Map(catalog?.metrics.map(({ name, title }) => [name, title]));
  return [
    ...[...TOPIC_PAGES, ...LIST_PAGES.slice(1), ...OTHER_PAGES, ADD].map(([href, title]) => ({
      kind: "Page",
      title,
      href,
    })),
    ...topics.flatMap(({ path, title: topic, views }) =>
      views.map(({ id, title, preset }) => ({
        kind: "View",
        title: `${topic}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
        also: preset.metrics.map((name) => titles.get(name) ?? "").join(" "),
        href: hrefOf(path, { view: [id] }),
      })),
    ),
  ];
}

/** Chips and models, linked to their pages. */
export function thingsOf(
  kind: "chips" | "models",
  things: { items: Hardware[] } | undefined,
): Place[] {
  return (things?.items ?? []).map(({ slug, name, identifiers }) => ({
    kind: kind === "chips" ? "Chip" : "Model",
    title: name,
    also: (identifiers ?? []).join(" "),
    href: `/${kind}/${slug}`,
  }));
}

export function articlesOf(sources: PublishedSources | undefined): Place[] {
  return (sources?.articles ?? []).map(({ article, title, author }) => ({
    kind: "Article",
    title,
    also: author ?? "",
    href: `/about#${article}`,
  }));
}

export function macsOf(machines: Machines | undefined): Place[] {
  return (machines?.items ?? []).map(({ id, chip, words }) => ({
    kind: "Mac",
    title: [words.title, chip, id.slice(0, 8)].filter(Boolean).join(" · "),
    also: id,
    href: `/machines/${id}`,
  }));
}

/** Ignored when ranking: nobody types it to find a chip. */
const MAKER = /^apple /;

/** Maximum number of results listed. */
const SHOWN = 12;

/** Places that contain all words of the text; those that start with it come first. */
export function matching(places: readonly Place[], text: string): Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = places.filter(({ kind, title, also = "" }) => {
    const all = `${kind} ${title} ${also}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const rank = ({ title }: Place) => {
    const withoutMaker = title.toLowerCase().replace(MAKER, "");
    if (withoutMaker.startsWith(words.join(" ").replace(MAKER, ""))) return 0;
    return words.every((word) => withoutMaker.includes(word)) ? 1 : 2;
  };
  return matches.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
}
