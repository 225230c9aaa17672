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
import { Button } from "../../ui/Button";
import { Section } from "../../ui/Section";
import { Confirmed } from "../../ui/Confirmed";
import { counted, day } from "../../ui/format";
import { Offsets } from "../../ui/Offsets";
import styles from "../../ui/Manage.module.css";
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
    <Section id="everybody" title="Everybody on this server" error={people.error}>
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
      <Offsets
        step={PEOPLE_AT_ONCE}
        total={total}
        counted={counted(total, "person", "people")}
        offset={offset}
        onOffset={setOffset}
      />
    </Section>
  );
}

function aboutPerson({ email, server_admin, fleets, last_seen_at }: PersonListed): string {
  const facts = [
    email,
    server_admin ? "admin of this server" : null,
    fleets.length ? fleets.map(({ name, role }) => `${role} of ${name}`).join(", ") : null,
    last_seen_at ? `last here ${day(last_seen_at)}` : "not signed in",
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}

function Ways(props: { person: PersonListed; isBusy: boolean; onWay: (way: Way) => void }) {
  const { person, isBusy, onWay } = props;
  return (
    <div className={styles.actions}>
      <Button
        asText
        disabled={isBusy}
        onClick={() => onWay(person.server_admin ? "no admin" : "admin")}
      >
        {person.server_admin ? "Remove as admin" : "Make admin"}
      </Button>
      <Confirmed
        label="Delete"
        confirm="Delete this account"
        about={person.name}
        isBusy={isBusy}
        onConfirm={() => onWay("delete")}
      />
    </div>
  );
}
