import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, inPath } from "./client";
import type { components } from "./schema";

export type Waiting = components["schemas"]["Waiting"];
export type Judgement = components["schemas"]["Judged"];

/** Runs that await review; only for the server's admins. */
export const reviewQuery = queryOptions({
  queryKey: ["review"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/review", { signal })),
  // Reviewed runs stay visible until the page is opened again.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export function judge(id: string, judgement: Judgement) {
  return dataOf(
    client.PUT("/api/v1/review/{run_id}", {
      ...inPath({ run_id: id }),
      body: judgement,
    }),
  );
}

/** The state of a report, by its secret. */
export const reportQuery = (secret: string) =>
  queryOptions({
    queryKey: ["report", secret],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/doubts/self", {
          headers: { Authorization: `Bearer ${secret}` },
          signal,
        }),
      ),
    gcTime: 0,
  });
