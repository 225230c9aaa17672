import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { useState } from "react";
import {
  deletePerson,
  everybodyQuery,
  PEOPLE_AT_ONCE,
  type PersonListed,
  setServerAdmin,
} from "../../api/session";
import { counted, day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./account.module.css";
import { Failed } from "./Failed";

type Way = "admin" | "no admin" | "delete";

/** Everyone with an account on this server, for its admins. */
export function Everybody({ self }: { self: string }) {
  const [offset, setOffset] = useState(0);
  const people = useQuery(everybodyQuery(offset));
  const changing = useChange(
    ({ person, way }: { person: PersonListed; way: Way }) =>
      way === "delete" ? deletePerson(person.id) : setServerAdmin(person.id, way === "admin"),
    ["session"],
  );
  const total = people.data?.total ?? 0;
  return (
    <section className={styles.section} aria-labelledby="everybody">
      <h2 id="everybody">Everybody on this server</h2>
      {people.error ? <ProblemNotice error={people.error} /> : null}
      <ul>
        {people.data?.items.map((person) => (
          <li key={person.id} className={styles.row}>
            <div>
              <bdi>{person.name}</bdi>
              {person.id === self ? " (you)" : ""}
              <span className={styles.under}>{aboutPerson(person)}</span>
            </div>
            {person.id === self ? null : (
              <Ways
                person={person}
                isBusy={changing.isPending}
                onWay={(way) => changing.mutate({ person, way })}
              />
            )}
          </li>
        ))}
      </ul>
      <Failed error={changing.error} />
      {total > PEOPLE_AT_ONCE ? (
        <p className={styles.actions}>
          <button
            type="button"
            className="button"
            disabled={offset === 0}
            onClick={() => setOffset(offset - PEOPLE_AT_ONCE)}
          >
            Previous
          </button>
          <button
            type="button"
            className="button"
            disabled={offset + PEOPLE_AT_ONCE >= total}
            onClick={() => setOffset(offset + PEOPLE_AT_ONCE)}
          >
            Next
          </button>
          <span className="quiet">{counted(total, "person", "people")}</span>
        </p>
      ) : null}
    </section>
  );
}

function aboutPerson({ email, server_admin, fleets, last_seen_at }: PersonListed): string {
  const told = [
    email,
    server_admin ? "admin of this server" : null,
    fleets.length ? fleets.map(({ name, role }) => `${role} of ${name}`).join(", ") : null,
    last_seen_at ? `last here ${day(last_seen_at)}` : "not signed in",
  ];
  return told.filter((part) => part !== null).join(" · ");
}

function Ways(props: { person: PersonListed; isBusy: boolean; onWay: (way: Way) => void }) {
  const { person, isBusy, onWay } = props;
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) {
    return (
      <div className={styles.actions}>
        <button
          type="button"
          className="button chief"
          disabled={isBusy}
          onClick={() => {
            setIsAsked(false);
            onWay("delete");
          }}
        >
          Delete this account
        </button>
        <button type="button" className="act" onClick={() => setIsAsked(false)}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      <button
        type="button"
        className="act"
        disabled={isBusy}
        onClick={() => onWay(person.server_admin ? "no admin" : "admin")}
      >
        {person.server_admin ? "Remove as admin" : "Make admin"}
      </button>
      <button
        type="button"
        className="act"
        aria-label={`Delete ${person.name}`}
        disabled={isBusy}
        onClick={() => setIsAsked(true)}
      >
        Delete
      </button>
    </div>
  );
}
