import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { auditQuery } from "../../api/fleetSettings";
import { inFleet } from "../../links/fleet";
import { Section } from "../../ui/Section";
import { counted, moment, shortId } from "../../ui/format";
import styles from "../../ui/Manage.module.css";
import { goneIn, macsOf, wordsOfAct } from "./words";

/** The latest actions, and all of them as files. */
export function AuditLog({ fleet }: { fleet: string }) {
  const audit = useQuery(auditQuery(fleet));
  const query = `?fleet=${encodeURIComponent(fleet)}`;
  const gone = goneIn(audit.data?.items ?? []);
  return (
    <Section id="audit" title="Audit log" error={audit.error}>
      <ol>
        {audit.data?.items.map(({ id, at, action, by, details, names }) => (
          <li key={id} className={styles.row}>
            <div>
              {wordsOfAct(action, details)}
              <Macs fleet={fleet} details={details} names={{ ...gone, ...names }} gone={gone} />
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
        <a href={`/api/v1/audit.csv${query}`}>All as CSV</a>
        <a href={`/api/v1/audit.ndjson${query}`}>All as NDJSON</a>
      </p>
    </Section>
  );
}

const SHOWN = 3;

interface MacsProps {
  fleet: string;
  details: Record<string, unknown>;
  names: Record<string, string>;
  /** Macs that have no page in this fleet any more. */
  gone: Record<string, string>;
}

/** The Macs that an entry is about by name, as long as they are few, with the way to them. */
function Macs({ fleet, details, names, gone }: MacsProps) {
  const ids = macsOf(details);
  if (ids.length === 0) return null;
  const hiddenCount = ids.length - SHOWN;
  return (
    <>
      {": "}
      {ids.slice(0, SHOWN).map((id, index) => (
        <Fragment key={id}>
          {index > 0 ? ", " : ""}
          {id in gone ? (
            <bdi>{names[id]}</bdi>
          ) : (
            <Link to="/machines/$id" params={{ id }} search={inFleet({}, fleet)}>
              <bdi>{names[id] ?? shortId(id)}</bdi>
            </Link>
          )}
        </Fragment>
      ))}
      {hiddenCount > 0 ? ` and ${counted(hiddenCount, "other")}` : ""}
    </>
  );
}
