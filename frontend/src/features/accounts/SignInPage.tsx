import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  passkeyOptions,
  type Session,
  sessionQuery,
  signInByPasskey,
  signInByPassword,
} from "../../api/session";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "../../ui/Manage.module.css";
import { ByOidc } from "./ByOidc";
import { Failed } from "./Failed";
import { getPasskey } from "./webauthn";

interface Props {
  /** A path of this site. */
  to: string;
  onSignedIn: (to: string) => void;
  /** Why the organisation's sign-in sent the reader back. */
  refused: string | undefined;
}

const REFUSED: Record<string, string> = {
  no_account: "You have no account here yet. Ask an admin of your fleet to invite you.",
  challenge_over: "That took too long, or was already done. Try again.",
  other_browser: "This sign-in began in another browser. Start again in this one.",
  issuer_away: "Your organisation’s sign-in doesn’t answer. Try again later.",
  identity_taken: "Another account already uses that sign-in.",
};

/** The ways to sign in at this address, best first. */
export function SignInPage({ to, onSignedIn, refused }: Props) {
  useTitle("Sign in");
  const session = useQuery(sessionQuery);
  const queries = useQueryClient();
  const signedIn = (now: Session) => {
    // Cached responses were public.
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, now);
    onSignedIn(to);
  };
  return (
    <div className={styles.narrow}>
      <header className={prose.head}>
        <h1>Sign in</h1>
        <p className={prose.lead}>
          For members of a fleet. Public figures need no account; accounts are by invitation.
        </p>
      </header>
      {refused === undefined ? null : (
        <p className={styles.failed} role="alert">
          {REFUSED[refused] ?? "Your organisation didn’t confirm who you are. Try again."}
        </p>
      )}
      {session.error ? (
        <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />
      ) : session.data ? (
        <Ways session={session.data} to={to} onSignedIn={signedIn} />
      ) : (
        <Skeleton height="8rem" lines={3} />
      )}
    </div>
  );
}

interface WaysProps {
  session: Session;
  to: string;
  onSignedIn: (now: Session) => void;
}

function Ways({ session, to, onSignedIn }: WaysProps) {
  const { passkey, password, oidc } = session.ways;
  return (
    <>
      {session.person ? <p>You are signed in as {session.person.name}.</p> : null}
      {passkey ? <ByPasskey onSignedIn={onSignedIn} /> : null}
      {oidc === null ? null : <ByOidc host={oidc} does="Sign in" to={to} />}
      {password ? <ByPassword other={passkey} onSignedIn={onSignedIn} /> : null}
      {!passkey && location.hostname === "127.0.0.1" ? (
        <p className="quiet">
          Passkeys work on <a href={location.href.replace("127.0.0.1", "localhost")}>localhost</a>,
          not on 127.0.0.1.
        </p>
      ) : null}
    </>
  );
}

function ByPasskey({ onSignedIn }: { onSignedIn: (now: Session) => void }) {
  const signing = useMutation({
    mutationFn: async () => signInByPasskey(await getPasskey(await passkeyOptions())),
    onSuccess: onSignedIn,
  });
  return (
    <div className={styles.form}>
      <Button primary disabled={signing.isPending} onClick={() => signing.mutate()}>
        Sign in with a passkey
      </Button>
      <Failed error={signing.error} />
    </div>
  );
}

function ByPassword({ other, onSignedIn }: { other: boolean; onSignedIn: (now: Session) => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signing = useMutation({
    mutationFn: () => signInByPassword(email, password),
    onSuccess: onSignedIn,
  });

  return (
    <Form className={`${styles.form} ${other ? styles.or : ""}`} onSubmit={() => signing.mutate()}>
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        required
        value={email}
        onValue={setEmail}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      <button
        type="submit"
        className={other ? "button" : "button chief"}
        disabled={signing.isPending}
      >
        Sign in
      </button>
      <Failed error={signing.error} />
    </Form>
  );
}
