import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { endOtherSessions, endSession, sessionsQuery } from "../../api/session";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./account.module.css";
import { browserName } from "./browserName";
import { Failed } from "./Failed";

/** Browsers in which the reader is signed in. */
export function Browsers() {
  const sessions = useQuery(sessionsQuery);
  const ending = useChange(endSession, sessionsQuery.queryKey);
  const endingOthers = useChange(endOtherSessions, sessionsQuery.queryKey);
  const items = sessions.data?.items ?? [];
  return (
    <section className={styles.section} aria-labelledby="sessions">
      <h2 id="sessions">Signed in on</h2>
      {sessions.error ? <ProblemNotice error={sessions.error} /> : null}
      <ul>
        {items.map(({ id, browser, created_at, last_used_at, here }) => (
          <li key={id} className={styles.row}>
            <div>
              <span title={browser}>{browserName(browser)}</span>
              {here ? <strong> · this browser</strong> : null}
              <span className={styles.under}>
                Since {day(created_at)}, last used {day(last_used_at)}
              </span>
            </div>
            {here ? null : (
              <button
                type="button"
                className="act"
                disabled={ending.isPending}
                onClick={() => ending.mutate(id)}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {items.length > 1 ? (
        <p>
          <button
            type="button"
            className="button"
            disabled={endingOthers.isPending}
            onClick={() => endingOthers.mutate()}
          >
            Sign out everywhere else
          </button>
        </p>
      ) : null}
      <Failed error={ending.error ?? endingOthers.error} />
    </section>
  );
}
