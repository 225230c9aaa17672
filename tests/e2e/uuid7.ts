import { randomUUID } from "node:crypto";

/** An id as an agent gives it: of the moment that its run began. */
export function uuid7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
