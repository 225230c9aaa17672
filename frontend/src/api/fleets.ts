import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, read, inPath } from "./client";
import type { components, operations } from "./schema";

export type Dashboard = components["schemas"]["Dashboard"];
export type FleetChange = components["schemas"]["UpdateChange"];
export type FleetMachine = components["schemas"]["FleetMachine"];
export type FleetAlert = components["schemas"]["Alert"];
export type MachinesAsked = NonNullable<operations["get_fleet_machines"]["parameters"]["query"]>;
export type Only = NonNullable<MachinesAsked["only"]>;
export type Amiss = FleetMachine["amiss"][number];
export type BulkChanges = components["schemas"]["BulkChanges"];
export type BulkChange = components["schemas"]["BulkChange"];

/** `fleet` is a fleet's name or id; `where` limits it to a group, such as `label:rack:B`. */
export function dashboardQuery(fleet: string, where = "") {
  return queryOptions({
    queryKey: ["fleet", fleet, "dashboard", where],
    queryFn: ({ signal }) => {
      const params = { path: { fleet }, query: where ? { where } : {} };
      return dataOf(client.GET("/api/v1/fleets/{fleet}/dashboard", { params, signal }));
    },
  });
}

/** Machines, fetched again whenever the dashboard's `asOf` changes. */
export function fleetMachinesQuery(fleet: string, query: MachinesAsked, asOf: string | null) {
  return read(["fleet", fleet, "machines", query, asOf], "/api/v1/fleets/{fleet}/machines", {
    params: { path: { fleet }, query },
  });
}

/** One machine as its fleet has it, retired or not. */
export function fleetMachineQuery(fleet: string, machine: string) {
  return queryOptions({
    queryKey: ["fleet", fleet, "machine", machine],
    queryFn: async ({ signal }) => {
      const query = { machine };
      const params = { path: { fleet }, query };
      const page = await dataOf(client.GET("/api/v1/fleets/{fleet}/machines", { params, signal }));
      return page.items[0] ?? null;
    },
  });
}

const LARGEST_PAGE = 200;

/** All machines in use of a fleet, page by page. */
export async function allFleetMachines(fleet: string): Promise<FleetMachine[]> {
  const machines: FleetMachine[] = [];
  for (;;) {
    const query = { limit: LARGEST_PAGE, offset: machines.length, sort: "runs" as const };
    const params = { path: { fleet }, query };
    // oxlint-disable-next-line no-await-in-loop -- each page says whether there is another
    const page = await dataOf(client.GET("/api/v1/fleets/{fleet}/machines", { params }));
    machines.push(...page.items);
    if (page.items.length === 0 || machines.length >= page.total) return machines;
  }
}

/** Change machines of a fleet together; the answer says what undoes it. */
export function changeMachines(fleet: string, body: BulkChanges) {
  return dataOf(client.PATCH("/api/v1/fleets/{fleet}/machines", { ...inPath({ fleet }), body }));
}

/** Count the runs of machines, or delete both if `runs` is that number. It can't be undone. */
export function deleteMachines(fleet: string, machines: string[], runs?: number) {
  return dataOf(
    client.POST("/api/v1/fleets/{fleet}/machines/deletion", {
      ...inPath({ fleet }),
      body: { machines, ...(runs === undefined ? {} : { runs }) },
    }),
  );
}

export type FieldSent = components["schemas"]["FieldSent"];

/** Every field that leaves a Mac, with examples of this fleet. */
export function sentQuery(fleet: string) {
  return read(["fleet", fleet, "sent"], "/api/v1/fleets/{fleet}/sent", inPath({ fleet }));
}

/** Active alerts, acknowledged or not, and past ones, newest first; or those of a group. */
export function alertsQuery(fleet: string, where: string, asOf: string | null) {
  return queryOptions({
    queryKey: ["fleet", fleet, "alerts", where, asOf],
    queryFn: ({ signal }) => {
      const params = { query: where ? { fleet, where } : { fleet } };
      return dataOf(client.GET("/api/v1/alerts", { params, signal }));
    },
  });
}

const alert = (alert_id: string) => inPath({ alert_id });

export function acknowledge(id: string) {
  return dataOf(client.PUT("/api/v1/alerts/{alert_id}/acknowledgement", alert(id)));
}

export function reopen(id: string) {
  return dataOf(client.DELETE("/api/v1/alerts/{alert_id}/acknowledgement", alert(id)));
}

export function mute(id: string, days: number, why: string) {
  return dataOf(
    client.PUT("/api/v1/alerts/{alert_id}/mute", { ...alert(id), body: { days, why } }),
  );
}

export function unmute(id: string) {
  return dataOf(client.DELETE("/api/v1/alerts/{alert_id}/mute", alert(id)));
}

/** `person_id` is null for nobody. */
export function assign(id: string, person_id: string | null) {
  return person_id === null
    ? dataOf(client.DELETE("/api/v1/alerts/{alert_id}/owner", alert(id)))
    : dataOf(client.PUT("/api/v1/alerts/{alert_id}/owner", { ...alert(id), body: { person_id } }));
}

export function comment(id: string, text: string) {
  return dataOf(
    client.POST("/api/v1/alerts/{alert_id}/comments", { ...alert(id), body: { text } }),
  );
}

export type How = components["schemas"]["AlertMail"]["how"];

export function alertMailQuery(fleet: string) {
  return read(["fleet", fleet, "mail"], "/api/v1/fleets/{fleet}/alert-mail", inPath({ fleet }));
}

export function setAlertMail(fleet: string, how: How, where: string) {
  return dataOf(
    client.PUT("/api/v1/fleets/{fleet}/alert-mail", {
      ...inPath({ fleet }),
      body: { how, where },
    }),
  );
}

export type Webhook = components["schemas"]["Webhook"];

export function webhooksQuery(fleet: string) {
  return read(["fleet", fleet, "webhooks"], "/api/v1/fleets/{fleet}/webhooks", inPath({ fleet }));
}

export function addWebhook(fleet: string, url: string, where: string) {
  return dataOf(
    client.POST("/api/v1/fleets/{fleet}/webhooks", {
      ...inPath({ fleet }),
      body: { url, where },
    }),
  );
}

const atWebhook = (fleet: string, webhook_id: string) => inPath({ fleet, webhook_id });

export function deleteWebhook(fleet: string, id: string) {
  return dataOf(
    client.DELETE("/api/v1/fleets/{fleet}/webhooks/{webhook_id}", atWebhook(fleet, id)),
  );
}

export function testWebhook(fleet: string, id: string) {
  return dataOf(
    client.POST("/api/v1/fleets/{fleet}/webhooks/{webhook_id}/test", atWebhook(fleet, id)),
  );
}
