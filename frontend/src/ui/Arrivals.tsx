import { useQueryClient } from "@tanstack/react-query";
import { counted } from "./format";
import type { Followed } from "../api/events";
import styles from "./Arrivals.module.css";
import { MANY, useArrivals } from "../api/useArrivals";

interface Props {
  followed: Followed;
  /** The time of the page's figures; absent while there are none. */
  since: string | undefined;
  /** Runs that the page lists already: those of that very moment are announced again. */
  known?: readonly string[];
}

const NONE: readonly string[] = [];

/**
 * Says that new runs have come, over the page and not in it: what the reader looks at stays where
 * it is until they ask for more.
 */
export function Arrivals({ followed, since, known = NONE }: Props) {
  const queries = useQueryClient();
  const count = useArrivals(followed, since, known);
  return (
    <div role="status" className={styles.place}>
      {count > 0 ? (
        <p className={styles.line}>
          {count === MANY ? "Many new runs" : counted(count, "new run")}
          <button type="button" className="act" onClick={() => void queries.invalidateQueries()}>
            {count === 1 ? "Show it" : "Show them"}
          </button>
        </p>
      ) : null}
    </div>
  );
}
