import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import {
  changeAccount,
  deleteAccount,
  type Session,
  sessionQuery,
  signOut,
} from "../../api/session";
import { inFleet } from "../../links/fleet";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Section } from "../../ui/Section";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "../../ui/Manage.module.css";
import { Browsers } from "./Browsers";
import { ByOidc } from "./ByOidc";
import { Everybody } from "./Everybody";
import { Failed } from "./Failed";
import { FailingItems } from "./FailingItems";
import { Invitations } from "./Invitations";
import { OwnLinks } from "./OwnLinks";
import { Passkeys } from "./Passkeys";
import { PasswordPart } from "./PasswordPart";
import { Tokens } from "./Tokens";
import { roleWords } from "../../ui/RoleChoice";

/** The reader's account: ways to sign in, sessions, and tokens. */
export function YouPage({ onGone }: { onGone: () => void }) {
  useTitle("You");
  const session = useQuery(sessionQuery);
  if (session.error) {
    return <ProblemNotice page error={session.error} onRetry={() => void session.refetch()} />;
  }
  if (!session.data) return <Skeleton height="40rem" lines={20} />;
  const { person } = session.data;
  if (!person) {
    return (
      <Notice
        title="You’re signed out"
        page
        actions={
          <Link to="/sign-in" search={{ to: ["/you"] }}>
            Sign in
          </Link>
        }
      />
    );
  }
  return <Account session={session.data} person={person} onGone={onGone} />;
}

type Person = NonNullable<Session["person"]>;

interface Props {
  session: Session;
  person: Person;
  onGone: () => void;
}

function Account({ session, person, onGone }: Props) {
  const queries = useQueryClient();
  const leave = () => {
    queries.clear();
    onGone();
  };
  const leaving = useMutation({ mutationFn: signOut, onSuccess: leave });
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>
          <bdi>{person.name}</bdi>
        </h1>
        <p className={prose.lead}>
          {person.server_admin ? "Admin of this server." : "Your account on this server."}
        </p>
        <p className={styles.actions}>
          <Button disabled={leaving.isPending} onClick={() => leaving.mutate()}>
            Sign out
          </Button>
          <Failed error={leaving.error} />
        </p>
      </header>
      <Section id="macs" title="Macs">
        <p>
          Macs that you claimed, with their history: <Link to="/my-macs">My Macs</Link>
        </p>
      </Section>
      <Fleets session={session} />
      <Invitations session={session} />
      <NameAndEmail key={person.id} person={person} />
      {session.ways.passkey ? <Passkeys /> : null}
      {session.ways.password ? <PasswordPart has={person.has_password} /> : null}
      {session.ways.oidc === null ? null : (
        <Section id="organisation" title="Organisation sign-in">
          {person.has_oidc ? (
            <p>
              You can sign in with {session.ways.oidc}.
              {person.email === null
                ? " It sent no address that it has verified: add your email above to get alerts."
                : ""}
            </p>
          ) : (
            <ByOidc host={session.ways.oidc} does="Connect" to="/you" />
          )}
        </Section>
      )}
      <Browsers />
      <Tokens fleets={session.fleets} />
      <OwnLinks />
      {person.server_admin ? <Everybody self={person.id} /> : null}
      {person.server_admin ? <FailingItems /> : null}
      <Deletion onGone={leave} />
    </div>
  );
}

function Fleets({ session: { fleets, person } }: { session: Session }) {
  return (
    <Section id="fleets" title="Fleets">
      <p>
        {fleets.length > 0
          ? ""
          : person?.server_admin
            ? "There is no fleet yet: make the first one. "
            : "You are in no fleet. A fleet’s admin can invite you. "}
        <Link to="/fleets">All fleets and their settings</Link>
      </p>
      <ul>
        {fleets.map(({ id, name, role, where, visibility }) => (
          <li key={id} className={styles.row}>
            <Link to="/machines" search={inFleet({}, name)}>
              <bdi>{name}</bdi>
            </Link>
            <span className="quiet">
              {roleWords({ role, where })}
              {visibility === "public" ? "" : " · private"}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NameAndEmail({ person }: { person: Person }) {
  const queries = useQueryClient();
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email ?? "");
  const saving = useMutation({
    mutationFn: () => changeAccount({ name, ...(email === "" ? {} : { email }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true }),
  });
  const changed = name !== person.name || email !== (person.email ?? "");

  return (
    <Section id="profile" title="Name and email">
      <Form className={styles.inline} onSubmit={() => saving.mutate()}>
        <Field
          label="Name"
          required
          maxLength={80}
          autoComplete="name"
          value={name}
          onValue={setName}
        />
        <Field label="Email" type="email" autoComplete="email" value={email} onValue={setEmail} />
        <Button submit disabled={!changed || saving.isPending}>
          Save
        </Button>
      </Form>
      <Failed error={saving.error} />
    </Section>
  );
}

function Deletion({ onGone }: { onGone: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const [erase, setErase] = useState(false);
  const deleting = useMutation({ mutationFn: () => deleteAccount(erase), onSuccess: onGone });
  return (
    <Section id="deletion" title="Delete account">
      <p>
        Your passkeys, sessions and tokens are deleted at once. Runs stay with their fleets. What
        you did stays in the audit log, under your name.
      </p>
      <p>
        <a href="/api/v1/account/export" download>
          Download your data
        </a>{" "}
        (JSON, without secrets).
      </p>
      {isConfirming ? (
        <label>
          <input
            type="checkbox"
            checked={erase}
            onChange={(event) => setErase(event.target.checked)}
          />{" "}
          Also erase my share links, and my name from the audit log and comments
        </label>
      ) : null}
      <p className={styles.actions}>
        {isConfirming ? (
          <>
            <Button primary disabled={deleting.isPending} onClick={() => deleting.mutate()}>
              Delete permanently
            </Button>
            <Button asText onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button onClick={() => setConfirming(true)}>Delete my account</Button>
        )}
      </p>
      <Failed error={deleting.error} />
    </Section>
  );
}
