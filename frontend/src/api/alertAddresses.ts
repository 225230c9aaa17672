import { client, dataOf, read, inPath } from "./client";

const at = (fleet: string) => inPath({ fleet });

/** Addresses of the fleet's own that its alerts are mailed to. */
export function addressesQuery(fleet: string) {
  return read(["fleet", fleet, "addresses"], "/api/v1/fleets/{fleet}/alert-addresses", at(fleet));
}

/** `where` is the group that it gets alerts of; empty for the whole fleet. */
export function addAddress(fleet: string, email: string, where: string) {
  return dataOf(
    client.POST("/api/v1/fleets/{fleet}/alert-addresses", { ...at(fleet), body: { email, where } }),
  );
}

export function deleteAddress(fleet: string, address_id: string) {
  return dataOf(
    client.DELETE(
      "/api/v1/fleets/{fleet}/alert-addresses/{address_id}",
      inPath({ fleet, address_id }),
    ),
  );
}

export function confirmAddress(secret: string) {
  return dataOf(client.POST("/api/v1/alert-addresses/confirmation", { body: { secret } }));
}
