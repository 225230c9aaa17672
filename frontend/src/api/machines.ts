import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { components } from "./schema";

export type OwnMachine = components["schemas"]["OwnMachine"];

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

/** Where a run's write and read speed rank among public runs of similar Macs. */
export function rankQuery(run: string) {
  return queryOptions({
    queryKey: ["rank", run],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/rank", { params: { query: { run } }, signal })),
  });
}

/** The Macs that the reader has claimed. */
export const ownMachinesQuery = queryOptions({
  queryKey: ["session", "machines"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/account/machines", { signal })),
});

const at = (machine_id: string) => ({ params: { path: { machine_id } } });

export const changeMachine = (id: string, body: components["schemas"]["MachineChanges"]) =>
  dataOf(client.PATCH("/api/v1/machines/{machine_id}", { ...at(id), body }));

/** Create the single-use command for a Mac that lost its token. */
export const makeMachineSecret = (id: string) =>
  dataOf(client.POST("/api/v1/machines/{machine_id}/secret", at(id)));

/** Release the Mac; its runs stay. */
export const letMachineGo = (id: string) =>
  dataOf(client.DELETE("/api/v1/machines/{machine_id}/claim", at(id)));

/** Delete the Mac with all its runs. */
export const deleteMachine = (id: string) =>
  dataOf(client.DELETE("/api/v1/machines/{machine_id}", at(id)));
