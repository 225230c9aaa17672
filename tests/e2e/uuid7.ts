import { randomUUID } from "node:crypto";

/** UUID version 7, as an agent generates it when its run starts. */
export function uuid7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
