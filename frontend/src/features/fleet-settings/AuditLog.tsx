import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { auditQuery } from "../../api/fleetSettings";
import { inFleet } from "../../links/fleet";
import { moment, shortId } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./settings.module.css";
import { wordsOfAct } from "./words";

/** The latest actions, and all of them as files. */
export function AuditLog({ fleet }: { fleet: string }) {
  const audit = useQuery(auditQuery(fleet));
  const asked = `?fleet=${encodeURIComponent(fleet)}`;
  return (
    <section className={styles.section} aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      {audit.error ? <ProblemNotice error={audit.error} /> : null}
      <ol>
        {audit.data?.items.map(({ id, at, action, by, details }) => (
          <li key={id} className={styles.row}>
            <div>
              {wordsOfAct(action, details)}
              <Mac fleet={fleet} id={details.machine_id} />
              <span className={styles.under}>
                <bdi>{by}</bdi>
              </span>
            </div>
            <time className="quiet" dateTime={at}>
              {moment(at)}
            </time>
          </li>
        ))}
      </ol>
      <p className={styles.actions}>
        <a href={`/api/v1/audit.csv${asked}`}>All as CSV</a>
        <a href={`/api/v1/audit.ndjson${asked}`}>All as NDJSON</a>
      </p>
    </section>
  );
}

/** The one Mac that an entry is about, with the way to it. */
function Mac({ fleet, id }: { fleet: string; id: unknown }) {
  if (typeof id !== "string") return null;
  return (
    <>
      :{" "}
      <Link to="/machines/$id" params={{ id }} search={inFleet({}, fleet)}>
        {shortId(id)}
      </Link>
    </>
  );
}
