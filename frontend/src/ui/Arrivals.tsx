import { useQueryClient } from "@tanstack/react-query";
import { Button } from "./Button";
import { counted } from "./format";
import type { Followed } from "../api/events";
import styles from "./Arrivals.module.css";
import { MANY, useArrivals } from "../api/useArrivals";

interface Props {
  followed: Followed;
  /** Time of the page's figures; undefined until they arrive. */
  since: string | undefined;
  /** Runs that the page already lists: those of exactly that time are announced again. */
  known?: readonly string[];
}

const NONE: readonly string[] = [];

/** Overlay that announces new runs: nothing on the page moves until the reader asks for them. */
export function Arrivals({ followed, since, known = NONE }: Props) {
  const queries = useQueryClient();
  const count = useArrivals(followed, since, known);
  return (
    <div role="status" className={styles.place}>
      {count > 0 ? (
        <p className={styles.line}>
          {count === MANY ? "Many new runs" : counted(count, "new run")}
          <Button asText onClick={() => void queries.invalidateQueries()}>
            {count === 1 ? "Show it" : "Show them"}
          </Button>
        </p>
      ) : null}
    </div>
  );
}
