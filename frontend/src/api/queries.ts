import { queryOptions } from "@tanstack/react-query";
import { type Clause, printClause } from "../links/clause";
import { printQuestion, type Question, toSearch } from "../links/question";
import { FEWEST_SIDES, printSides, type Sides, sidesSearch } from "../links/sides";
import { client, dataOf, read, inPath } from "./client";

/** Metrics, dimensions and flags: they change only with the server's version. */
export const catalogQuery = {
  ...read(["catalog"], "/api/v1/catalog"),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Chips and the articles' facts about them: they change only with the server's version. */
export const chipsQuery = {
  ...read(["chips"], "/api/v1/chips"),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Articles with all their figures: they change only with the server's version. */
export const sourcesQuery = {
  ...read(["sources"], "/api/v1/sources"),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Contents and licence of the downloads of all public results. */
export const corpusQuery = read(["corpus"], "/api/v1/corpus");

export function answerQuery(question: Question) {
  return read(["answer", printQuestion(question)], "/api/v1/answer", {
    params: { query: parameters(question) },
  });
}

/** The most common value of each dimension that the question's figures would mix. */
export function startingPointQuery(question: Question) {
  return {
    ...read(["starting point", printQuestion(question)], "/api/v1/starting-point", {
      params: { query: parameters(question) },
    }),
    staleTime: 60_000,
  };
}

export function facetsQuery(question: Pick<Question, "metrics" | "where" | "flagged">) {
  const { metrics: metric, where, flagged } = question;
  const query = { metric, where: toSearch({ ...NOTHING, where }).where, flagged };
  return read(["facets", query], "/api/v1/facets", { params: { query } });
}

/** Frequency against residency; `active` is a range of cores as in the page's address. */
export function residencyQuery(
  { where, flagged, fit }: Pick<Question, "where" | "flagged" | "fit">,
  active: string | undefined,
) {
  const query = { where: toSearch({ ...NOTHING, where }).where, flagged, fit, active };
  return read(["residency", query], "/api/v1/residency", { params: { query } });
}

export function runsQuery(where: string[], cursor: string | undefined, limit = 50) {
  return read(["runs", where, cursor ?? "", limit], "/api/v1/runs", {
    params: { query: { where, cursor, limit } },
  });
}

/** The newest runs that an answer leaves out as doubtful. */
export function doubtedQuery({ metrics: metric, where }: Pick<Question, "metrics" | "where">) {
  const query = { metric, where: toSearch({ ...NOTHING, where }).where };
  return read(["doubted", query], "/api/v1/doubted", { params: { query } });
}

export function runQuery(id: string) {
  return read(["run", id], "/api/v1/runs/{run_id}", inPath({ run_id: id }));
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
export function compareQuery(sides: Sides) {
  const { metric, side, label, where, baseline, weight, flagged, version } = sidesSearch(sides);
  return queryOptions({
    queryKey: ["compare", printSides(sides)],
    enabled: sides.sides.length >= FEWEST_SIDES && sides.metrics.length > 0,
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

/** The filter that leaves out what articles report. */
const NOT_PUBLISHED: Clause = { dimension: "source", op: "not", value: "published" };
export const MEASURED = printClause(NOT_PUBLISHED);

/** Values of what Macs measured. */
export const measuredQuery = facetsQuery({
  metrics: [],
  where: [NOT_PUBLISHED],
  flagged: "include",
});

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
