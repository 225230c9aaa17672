import { client, dataOf, read, inPath } from "./client";
import type { components } from "./schema";

export type OwnMachine = components["schemas"]["OwnMachine"];

export function machinesQuery(where: string[], q: string, cursor: string | undefined) {
  return read(["machines", where, q, cursor ?? ""], "/api/v1/machines", {
    params: { query: { where, cursor, limit: 50, ...(q ? { q } : {}) } },
  });
}

export function machineQuery(id: string) {
  return read(["machine", id], "/api/v1/machines/{machine_id}", inPath({ machine_id: id }));
}

/** Results of one metric over time; `where` names its parameters. */
export function timelineQuery(id: string, metric: string, where: string[]) {
  return read(["timeline", id, metric, where], "/api/v1/machines/{machine_id}/timeline", {
    params: { path: { machine_id: id }, query: { metric: [metric], where } },
  });
}

/** The run or machine whose percentile among the filtered machines is wanted. */
export type Placed = { machine: string } | { run: string };

export function percentileQuery(placed: Placed, metric: string, where: string[]) {
  return read(["percentile", placed, metric, where], "/api/v1/percentile", {
    params: { query: { metric: [metric], where, ...placed } },
  });
}

/** Where a run's write and read speed rank among public runs of similar Macs. */
export function rankQuery(run: string) {
  return read(["rank", run], "/api/v1/rank", { params: { query: { run } } });
}

/** The Macs that the reader has claimed. */
export const ownMachinesQuery = read(["session", "machines"], "/api/v1/account/machines");

const at = (machine_id: string) => inPath({ machine_id });

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
