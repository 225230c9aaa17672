import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { endOtherSessions, endSession, sessionsQuery } from "../../api/session";
import { Button } from "../../ui/Button";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import styles from "../../ui/Manage.module.css";
import { browserName } from "./browserName";
import { Failed } from "./Failed";

/** Browsers in which the reader is signed in. */
export function Browsers() {
  const sessions = useQuery(sessionsQuery);
  const ending = useChange(endSession, sessionsQuery.queryKey);
  const endingOthers = useChange(endOtherSessions, sessionsQuery.queryKey);
  const items = sessions.data?.items ?? [];
  return (
    <Section id="sessions" title="Signed in on" error={sessions.error}>
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
              <Button asText disabled={ending.isPending} onClick={() => ending.mutate(id)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {items.length > 1 ? (
        <p>
          <Button disabled={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
            Sign out everywhere else
          </Button>
        </p>
      ) : null}
      <Failed error={ending.error ?? endingOthers.error} />
    </Section>
  );
}
