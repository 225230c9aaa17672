import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { components } from "./schema";

export type Waiting = components["schemas"]["Waiting"];
export type Judgement = components["schemas"]["Judged"];

/** The runs that wait for a judgement; only the server's admins may ask. */
export const reviewQuery = queryOptions({
  queryKey: ["review"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/review", { signal })),
  // Judged runs stay in sight until the page is opened again.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export function judge(id: string, judgement: Judgement) {
  return dataOf(
    client.PUT("/api/v1/review/{run_id}", {
      params: { path: { run_id: id } },
      body: judgement,
    }),
  );
}

/** What happened to a report, for whoever has its secret. */
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
