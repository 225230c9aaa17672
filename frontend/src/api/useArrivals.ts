import { useEffect, useState } from "react";
import { eventsAddress, type Followed } from "./events";

/** Most pages are left or reloaded sooner than this, and need no connection. */
const PATIENCE = 2_000;
/** Delay before reconnecting if the server is full or away. */
const AGAIN = 60_000;
/** For `event: reload`: too many new runs to announce individually. */
export const MANY = Number.POSITIVE_INFINITY;

/**
 * Number of matching runs stored since then, excluding those the page already has. After an
 * interruption the browser reconnects by itself.
 */
export function useArrivals(
  followed: Followed,
  since: string | undefined,
  known: readonly string[],
): number {
  const address = since === undefined ? undefined : eventsAddress(followed, since);
  const [arrived, setArrived] = useState<{
    address: string;
    ids: ReadonlySet<string>;
    many: boolean;
  }>();
  useEffect(() => {
    if (address === undefined) return undefined;
    const ids = new Set<string>();
    let line: EventSource | undefined;
    let timer = 0;
    const stop = () => {
      clearTimeout(timer);
      line?.close();
      line = undefined;
    };
    const start = () => {
      line = new EventSource(address);
      line.addEventListener("run", (event) => {
        ids.add((JSON.parse(event.data) as { id: string }).id);
        setArrived({ address, ids: new Set(ids), many: false });
      });
      line.addEventListener("reload", () => setArrived({ address, ids, many: true }));
      line.addEventListener("error", () => {
        if (line?.readyState === EventSource.CLOSED) timer = window.setTimeout(start, AGAIN);
      });
    };
    // A browser allows few connections per server, so a hidden page closes its own.
    const watch = () => {
      stop();
      if (document.visibilityState === "visible") timer = window.setTimeout(start, PATIENCE);
    };
    watch();
    document.addEventListener("visibilitychange", watch);
    return () => {
      document.removeEventListener("visibilitychange", watch);
      stop();
    };
  }, [address]);
  if (arrived === undefined || arrived.address !== address) return 0;
  return arrived.many ? MANY : [...arrived.ids].filter((id) => !known.includes(id)).length;
}
