import { client, dataOf, read, inPath } from "./client";
import type { components, operations } from "./schema";

type Schemas = components["schemas"];
export type Fleet = Schemas["FleetResponse"];
export type Visibility = Fleet["visibility"];
export type EnrolmentSecret = Schemas["Secret"];
export type Device = Schemas["Device"];
export type RefusedEnrolment = Schemas["RefusedEnrolment"];
export type Clone = Schemas["Clone"];
export type Merged = Schemas["Merged"];
export type LikelyMerge = Schemas["LikelyMerge"];
export type Act = Schemas["Act"];
export type Deletion = operations["delete_fleet"]["parameters"]["query"];

const at = (fleet: string) => inPath({ fleet });
const atMachine = (machine_id: string) => inPath({ machine_id });

export const fleetsQuery = read(["fleets"], "/api/v1/fleets");

export const createFleet = (name: string) =>
  dataOf(client.POST("/api/v1/fleets", { body: { name } }));

/** `fleet` is a fleet's name or id. */
export const fleetQuery = (fleet: string) =>
  read(["fleets", fleet], "/api/v1/fleets/{fleet}", at(fleet));

export const changeFleet = (fleet: string, body: Schemas["FleetChanges"]) =>
  dataOf(client.PATCH("/api/v1/fleets/{fleet}", { ...at(fleet), body }));

export const deleteFleet = (fleet: string, query: Deletion) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}", { params: { path: { fleet }, query } }));

export const peopleQuery = (fleet: string) =>
  read(["fleets", fleet, "people"], "/api/v1/fleets/{fleet}/members", at(fleet));

export const setRole = (fleet: string, person_id: string, body: Schemas["RoleInFleet"]) =>
  dataOf(
    client.PUT("/api/v1/fleets/{fleet}/members/{person_id}", {
      ...inPath({ fleet, person_id }),
      body,
    }),
  );

export const removePerson = (fleet: string, person_id: string) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}/members/{person_id}", inPath({ fleet, person_id })));

export const secretsQuery = (fleet: string) =>
  read(["fleets", fleet, "secrets"], "/api/v1/fleets/{fleet}/secrets", at(fleet));

export const createSecret = (fleet: string, body: Schemas["AskedSecret"]) =>
  dataOf(client.POST("/api/v1/fleets/{fleet}/secrets", { ...at(fleet), body }));

export const revokeSecret = (fleet: string, secret_id: string) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}/secrets/{secret_id}", inPath({ fleet, secret_id })));

export type FleetLink = Schemas["FleetLink"];

/** Links with figures from the fleet's runs. */
export const linksQuery = (fleet: string) =>
  read(["fleets", fleet, "links"], "/api/v1/fleets/{fleet}/links", at(fleet));

export const takeIdsOut = (fleet: string, link_id: string) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}/links/{link_id}/ids", inPath({ fleet, link_id })));

export const devicesQuery = (fleet: string, offset: number) =>
  read(["fleets", fleet, "devices", offset], "/api/v1/fleets/{fleet}/devices", {
    params: { path: { fleet }, query: { limit: DEVICES_AT_ONCE, offset } },
  });

export const DEVICES_AT_ONCE = 50;

export const rotateDevice = (fleet: string, token_id: string) =>
  dataOf(
    client.POST("/api/v1/fleets/{fleet}/devices/{token_id}/rotation", inPath({ fleet, token_id })),
  );

export const revokeDevice = (fleet: string, token_id: string) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}/devices/{token_id}", inPath({ fleet, token_id })));

export const admitMachine = (machine_id: string) =>
  dataOf(
    client.PATCH("/api/v1/machines/{machine_id}", {
      ...atMachine(machine_id),
      body: { barred: false },
    }),
  );

export const clonesQuery = (fleet: string) =>
  read(["fleets", fleet, "clones"], "/api/v1/fleets/{fleet}/clones", at(fleet));

export const settleClone = (fleet: string, machine_id: string, are: "one" | "several") =>
  dataOf(
    client.PUT("/api/v1/fleets/{fleet}/clones/{machine_id}", {
      ...inPath({ fleet, machine_id }),
      body: { are },
    }),
  );

/** Merged ids, and pairs that may be one Mac. */
export const mergesQuery = (fleet: string) =>
  read(["fleets", fleet, "merges"], "/api/v1/fleets/{fleet}/merges", at(fleet));

/** Merge the ids; return how many runs `into` received. */
export const mergeMachine = (machine_id: string, into: string) =>
  dataOf(
    client.PUT("/api/v1/machines/{machine_id}/merge", { ...atMachine(machine_id), body: { into } }),
  );

export const takeMergeBack = (machine_id: string) =>
  dataOf(client.DELETE("/api/v1/machines/{machine_id}/merge", atMachine(machine_id)));

export const retireMachine = (machine_id: string, retired: boolean) =>
  dataOf(
    client.PATCH("/api/v1/machines/{machine_id}", { ...atMachine(machine_id), body: { retired } }),
  );

export const auditQuery = (fleet: string) =>
  read(["fleets", fleet, "audit"], "/api/v1/audit", { params: { query: { fleet, limit: 20 } } });

export type RetentionPolicy = Schemas["RetentionPolicy"];
export type RetentionEffect = Schemas["RetentionEffect"];
export type Sweep = Schemas["Sweep"];

export const retentionQuery = (fleet: string) =>
  read(["fleets", fleet, "retention"], "/api/v1/fleets/{fleet}/retention", at(fleet));

/** Preview a policy's effect; changes nothing. */
export const previewRetention = (fleet: string, query: RetentionPolicy) =>
  dataOf(
    client.GET("/api/v1/fleets/{fleet}/retention/preview", { params: { path: { fleet }, query } }),
  );

/** `runs` is the number from the preview. */
export const setRetention = (fleet: string, body: RetentionPolicy & { runs: number }) =>
  dataOf(client.PUT("/api/v1/fleets/{fleet}/retention", { ...at(fleet), body }));

export const endRetention = (fleet: string) =>
  dataOf(client.DELETE("/api/v1/fleets/{fleet}/retention", at(fleet)));

export const undoSweep = (fleet: string, sweep_id: string) =>
  dataOf(
    client.DELETE(
      "/api/v1/fleets/{fleet}/retention/sweeps/{sweep_id}",
      inPath({ fleet, sweep_id }),
    ),
  );

/** Set what counts as a problem in the fleet's health. */
export const setPolicy = (fleet: string, body: Schemas["Policy"]) =>
  dataOf(client.PUT("/api/v1/fleets/{fleet}/policy", { ...at(fleet), body }));

export const createUploader = (fleet: string, name: string) =>
  dataOf(client.POST("/api/v1/fleets/{fleet}/uploaders", { ...at(fleet), body: { name } }));
