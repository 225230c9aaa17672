import { useEffect, useState } from "react";
import { eventsAddress, type Followed } from "./events";

/** Most pages are left or reloaded sooner than this, and need no connection of their own. */
const PATIENCE = 2_000;
/** How long to wait before connecting again when the server is full or away. */
const AGAIN = 60_000;
/** `event: reload`: too many new runs to be announced one by one. */
export const MANY = Number.POSITIVE_INFINITY;

/**
 * How many runs that match have been stored since then, without those that the page has already.
 * After a break the browser resumes by itself.
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
    // A browser has few connections per server: a hidden page gives its own back.
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
