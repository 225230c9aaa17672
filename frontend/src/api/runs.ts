import { client, dataOf, inPath } from "./client";

/** Report to the run's owner and the server's admin why its figures may be wrong. */
export function reportDoubt(id: string, reason: string) {
  return dataOf(
    client.POST("/api/v1/runs/{run_id}/doubts", {
      ...inPath({ run_id: id }),
      body: { reason },
    }),
  );
}
