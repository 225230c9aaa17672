import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "../../api/client";

/** Ways to get the agent from this server: they change only with its operator's configuration. */
export const agentQuery = queryOptions({
  queryKey: ["agent"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v1/agent", { signal })),
});
