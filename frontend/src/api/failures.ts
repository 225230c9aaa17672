import { read } from "./client";
import type { components } from "./schema";

export type FailingItem = components["schemas"]["FailingItem"];

/** Failures of single items that don't affect the rest, for the server's admins. */
export const failuresQuery = read(["session", "failures"], "/api/v1/failures");
