import { read } from "../../api/client";

/** Ways to get the agent from this server: they change only with its operator's configuration. */
export const agentQuery = read(["agent"], "/api/v1/agent");
