import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { components } from "./schema";

export type FailingItem = components["schemas"]["FailingItem"];

/** Failures of single items that don't affect the rest, for the server's admins. */
export const failuresQuery = queryOptions({
  queryKey: ["session", "failures"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/failures", { signal })),
});
