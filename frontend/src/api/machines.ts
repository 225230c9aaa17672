import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";

export function machinesQuery(where: string[], q: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: ["machines", where, q, cursor ?? ""],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/machines", {
          params: { query: { where, cursor, limit: 50, ...(q ? { q } : {}) } },
          signal,
        }),
      ),
  });
}

export function machineQuery(id: string) {
  return queryOptions({
    queryKey: ["machine", id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/machines/{machine_id}", {
          params: { path: { machine_id: id } },
          signal,
        }),
      ),
  });
}

/** Results of one metric over time; `where` names its parameters. */
export function timelineQuery(id: string, metric: string, where: string[]) {
  return queryOptions({
    queryKey: ["timeline", id, metric, where],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/machines/{machine_id}/timeline", {
          params: { path: { machine_id: id }, query: { metric: [metric], where } },
          signal,
        }),
      ),
  });
}

/** The run or machine whose percentile among the filtered machines is wanted. */
export type Placed = { machine: string } | { run: string };

export function percentileQuery(placed: Placed, metric: string, where: string[]) {
  return queryOptions({
    queryKey: ["percentile", placed, metric, where],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/percentile", {
          params: { query: { metric: [metric], where, ...placed } },
          signal,
        }),
      ),
  });
}
