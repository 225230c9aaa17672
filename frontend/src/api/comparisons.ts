import { client, dataOf, read, inPath } from "./client";
import type { components } from "./schema";
import type { ComparisonChange } from "./types";

/** `secret` lets the owner open a paused comparison. */
export function comparisonQuery(slug: string, secret: string | undefined) {
  return read(["comparison", slug], "/api/v1/comparisons/{slug}", {
    ...inPath({ slug }),
    headers: authorised(secret),
  });
}

/** Each frozen figure with its present value. */
export function changesQuery(slug: string, secret: string | undefined) {
  return read(["changes", slug], "/api/v1/comparisons/{slug}/changes", {
    ...inPath({ slug }),
    headers: authorised(secret),
  });
}

/** The comparison as a citation. */
export function citationQuery(slug: string, format: "markdown" | "bibtex") {
  return read(["citation", slug, format], "/api/v1/comparisons/{slug}/citation", {
    params: { path: { slug }, query: { format } },
    parseAs: "text",
  });
}

/** Embed code for the comparison at that address. */
export function embedQuery(url: string) {
  return read(["embed", url], "/api/v1/oembed", { params: { query: { url } } });
}

/** Freeze the answer to a question. Only this response contains the owner secret. */
export function saveComparison(body: components["schemas"]["NewComparison"]) {
  return dataOf(client.POST("/api/v1/comparisons", { body }));
}

export function changeComparison(slug: string, secret: string, change: ComparisonChange) {
  return dataOf(
    client.PATCH("/api/v1/comparisons/{slug}", {
      ...inPath({ slug }),
      headers: authorised(secret),
      body: change,
    }),
  );
}

function authorised(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
}
