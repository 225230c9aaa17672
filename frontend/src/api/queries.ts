import { queryOptions } from "@tanstack/react-query";
import { printQuestion, type Question, toSearch } from "../links/question";
import { FEWEST_SIDES, printSides, type Sides, sidesSearch } from "../links/sides";
import { client, dataOf } from "./client";

/** Metrics, dimensions and flags: they change only with the server's version. */
export const catalogQuery = queryOptions({
  queryKey: ["catalog"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/catalog", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Chips and the articles' facts about them: they change only with the server's version. */
export const chipsQuery = queryOptions({
  queryKey: ["chips"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/chips", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Articles with all their figures: they change only with the server's version. */
export const sourcesQuery = queryOptions({
  queryKey: ["sources"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/sources", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Contents and licence of the downloads of all public results. */
export const corpusQuery = queryOptions({
  queryKey: ["corpus"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/corpus", { signal })),
});

export function answerQuery(question: Question) {
  return queryOptions({
    queryKey: ["answer", printQuestion(question)],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/answer", { params: { query: parameters(question) }, signal })),
  });
}

/** The most common value of each dimension that the question's figures would mix. */
export function startingPointQuery(question: Question) {
  return queryOptions({
    queryKey: ["starting point", printQuestion(question)],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/starting-point", { params: { query: parameters(question) }, signal }),
      ),
    staleTime: 60_000,
  });
}

export function facetsQuery(question: Pick<Question, "metrics" | "where" | "flagged">) {
  const { metrics: metric, where, flagged } = question;
  const query = { metric, where: toSearch({ ...NOTHING, where }).where, flagged };
  return queryOptions({
    queryKey: ["facets", query],
    queryFn: ({ signal }) => dataOf(client.GET("/api/v1/facets", { params: { query }, signal })),
  });
}

/** Frequency against residency; `active` is a range of cores as in the page's address. */
export function residencyQuery(
  { where, flagged, fit }: Pick<Question, "where" | "flagged" | "fit">,
  active: string | undefined,
) {
  const query = { where: toSearch({ ...NOTHING, where }).where, flagged, fit, active };
  return queryOptions({
    queryKey: ["residency", query],
    queryFn: ({ signal }) => dataOf(client.GET("/api/v1/residency", { params: { query }, signal })),
  });
}

export function runsQuery(where: string[], cursor: string | undefined) {
  return queryOptions({
    queryKey: ["runs", where, cursor ?? ""],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/runs", { params: { query: { where, cursor, limit: 50 } }, signal }),
      ),
  });
}

/** The newest runs that an answer leaves out as doubtful. */
export function doubtedQuery({ metrics: metric, where }: Pick<Question, "metrics" | "where">) {
  const query = { metric, where: toSearch({ ...NOTHING, where }).where };
  return queryOptions({
    queryKey: ["doubted", query],
    queryFn: ({ signal }) => dataOf(client.GET("/api/v1/doubted", { params: { query }, signal })),
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["run", id],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: id } }, signal })),
  });
}

/** The parts of a run document that only the run's page shows. */
export interface RunDocument {
  machine?: { core_tiers?: { name: string; max_frequency?: number | null }[] };
  traces?: {
    kind: string;
    interval?: number | null;
    columns: string[];
    rows: (number | string | null)[][];
  }[];
}

export async function runDocument(id: string, signal: AbortSignal): Promise<RunDocument> {
  const path = { run_id: id };
  const document = await dataOf(
    client.GET("/api/v1/runs/{run_id}/document", { params: { path }, signal }),
  );
  return document as RunDocument;
}

/** Sides in canonical form; no request for fewer than two. */
export function compareQuery(asked: Sides) {
  const { metric, side, label, where, baseline, weight, flagged, version } = sidesSearch(asked);
  return queryOptions({
    queryKey: ["compare", printSides(asked)],
    enabled: asked.sides.length >= FEWEST_SIDES && asked.metrics.length > 0,
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/compare", {
          params: {
            query: {
              metric,
              side,
              label,
              where,
              baseline: baseline?.[0],
              weight: weight?.[0],
              flagged: flagged?.[0],
              version: version?.[0],
            },
          },
          signal,
        }),
      ),
  });
}

const NOTHING: Question = {
  metrics: [],
  by: [],
  where: [],
  relativeTo: [],
  weight: "machine",
  flagged: "exclude",
};

function parameters(question: Question) {
  const { metric, by, where, relative_to, weight, flagged, fit, version } = toSearch(question);
  return {
    metric,
    by,
    where,
    relative_to,
    weight: weight?.[0],
    flagged: flagged?.[0],
    fit: fit?.[0],
    version: version?.[0],
  };
}
