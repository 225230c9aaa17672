import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { components } from "./schema";
import type { ComparisonChange } from "./types";

/** `secret` lets the owner open a paused comparison. */
export function comparisonQuery(slug: string, secret: string | undefined) {
  return queryOptions({
    queryKey: ["comparison", slug],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/comparisons/{slug}", {
          params: { path: { slug } },
          headers: authorised(secret),
          signal,
        }),
      ),
  });
}

/** Each frozen figure with its present value. */
export function changesQuery(slug: string, secret: string | undefined) {
  return queryOptions({
    queryKey: ["changes", slug],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/comparisons/{slug}/changes", {
          params: { path: { slug } },
          headers: authorised(secret),
          signal,
        }),
      ),
  });
}

/** The comparison as a citation. */
export function citationQuery(slug: string, format: "markdown" | "bibtex") {
  return queryOptions({
    queryKey: ["citation", slug, format],
    queryFn: ({ signal }): Promise<string> =>
      dataOf(
        client.GET("/api/v1/comparisons/{slug}/citation", {
          params: { path: { slug }, query: { format } },
          parseAs: "text",
          signal,
        }),
      ),
  });
}

/** Embed code for the comparison at that address. */
export function embedQuery(url: string) {
  return queryOptions({
    queryKey: ["embed", url],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/oembed", { params: { query: { url } }, signal })),
  });
}

/** Freeze the answer to a question. Only this response contains the owner secret. */
export function saveComparison(body: components["schemas"]["NewComparison"]) {
  return dataOf(client.POST("/api/v1/comparisons", { body }));
}

export function changeComparison(slug: string, secret: string, change: ComparisonChange) {
  return dataOf(
    client.PATCH("/api/v1/comparisons/{slug}", {
      params: { path: { slug } },
      headers: authorised(secret),
      body: change,
    }),
  );
}

function authorised(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
}
