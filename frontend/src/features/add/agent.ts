import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "../../api/client";

/** How to get the agent from this server: it changes when its operator changes what it offers. */
export const agentQuery = queryOptions({
  queryKey: ["agent"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/agent", { signal })),
});
