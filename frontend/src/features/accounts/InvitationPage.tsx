import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import {
  acceptInvitation,
  firstPasskeyOptions,
  type InvitedTo,
  invitationQuery,
  type NewAccount,
  type Session,
  sessionQuery,
} from "../../api/session";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { moment } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "../../ui/Manage.module.css";
import { ByOidc } from "./ByOidc";
import { Failed } from "./Failed";
import { forgetSecret, takeSecret } from "./invitationSecret";
import { createPasskey } from "./webauthn";
import { groupWords } from "../../ui/RoleChoice";

interface PageProps {
  /** The page's own path, to return to. */
  path: "/invitations" | "/claim";
  onJoined: (to: InvitedTo) => void;
}

/** Page of a single-use link. Its secret is in the address's fragment, which is never sent. */
export function InvitationPage({ path, onJoined }: PageProps) {
  useTitle(path === "/claim" ? "Claim a Mac" : "Invitation");
  const [secret, setSecret] = useState(takeSecret);
  useEffect(() => {
    // Another link, opened while this page is already open.
    const onHash = () => {
      if (location.hash !== "") setSecret(takeSecret());
    };
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  if (!secret) {
    return (
      <Notice title="This link is incomplete" page>
        <p>Copy it whole, with the part after #, or ask for a new one.</p>
      </Notice>
    );
  }
  return <Opened key={secret} secret={secret} path={path} onJoined={onJoined} />;
}

function Opened({ secret, path, onJoined }: PageProps & { secret: string }) {
  const invited = useQuery(invitationQuery(secret));
  const session = useQuery(sessionQuery);
  const queries = useQueryClient();
  const error = invited.error ?? session.error;
  if (error) return <ProblemNotice page error={error} />;
  if (!invited.data || !session.data) return <Skeleton height="16rem" lines={6} />;
  const joined = (now: Session) => {
    forgetSecret();
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, now);
    onJoined(invited.data);
  };
  return (
    <div className={styles.narrow}>
      <header className={prose.head}>
        <h1>{titleOf(invited.data)}</h1>
        <p className={prose.lead}>{leadOf(invited.data)}</p>
      </header>
      {session.data.person ? (
        <AsMyself
          secret={secret}
          does={invited.data.purpose === "claim" ? "Claim" : "Accept"}
          name={session.data.person.name}
          onJoined={joined}
        />
      ) : (
        <AsSomebodyNew
          secret={secret}
          path={path}
          invited={invited.data}
          byPasskey={session.data.ways.passkey}
          oidc={session.data.ways.oidc}
          onJoined={joined}
        />
      )}
      <p className="quiet">This link works once, until {moment(invited.data.expires_at)}.</p>
    </div>
  );
}

function titleOf({ purpose, fleet }: InvitedTo): string {
  if (purpose === "first_admin") return "Set up this server";
  if (purpose === "claim") return "Claim this Mac";
  return fleet === null ? "Administer this server" : `Join ${fleet}`;
}

function leadOf({ purpose, fleet, role, where, invited_by }: InvitedTo): string {
  if (purpose === "first_admin") return "Your account will be its first admin.";
  if (purpose === "claim") {
    return "It becomes yours: you see its history, rename it, and delete it with its runs.";
  }
  const by = invited_by ? `${invited_by} invited you. ` : "";
  if (fleet === null) return `${by}Admins of the server manage every fleet.`;
  if (where) return `${by}As a viewer you see only the Macs in ${groupWords(where)}.`;
  return role === "admin"
    ? `${by}As an admin you see this fleet’s Macs and manage it.`
    : `${by}As a viewer you see this fleet’s Macs and their results.`;
}

interface JoinProps {
  secret: string;
  onJoined: (now: Session) => void;
}

function AsMyself({ secret, does, name, onJoined }: JoinProps & { does: string; name: string }) {
  const joining = useMutation({
    mutationFn: () => acceptInvitation(secret),
    onSuccess: onJoined,
  });
  return (
    <div className={styles.form}>
      <Button primary disabled={joining.isPending} onClick={() => joining.mutate()}>
        {does} as {name}
      </Button>
      <Failed error={joining.error} />
    </div>
  );
}

interface NewProps extends JoinProps {
  path: PageProps["path"];
  invited: InvitedTo;
  byPasskey: boolean;
  oidc: string | null;
}

function AsSomebodyNew({ secret, path, invited, byPasskey, oidc, onJoined }: NewProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState(invited.email ?? "");
  const [password, setPassword] = useState("");
  const joining = useMutation({
    mutationFn: async () => {
      const account: NewAccount = { name, ...(email === "" ? {} : { email }) };
      if (!byPasskey) return acceptInvitation(secret, { ...account, password });
      const credential = await createPasskey(await firstPasskeyOptions(secret, name));
      return acceptInvitation(secret, { ...account, credential });
    },
    onSuccess: onJoined,
  });

  const signIn = (
    <Link to="/sign-in" search={{ to: [path] }}>
      {invited.accounts ? "I already have an account" : "Sign in"}
    </Link>
  );
  if (!invited.accounts) {
    return <p>This server makes accounts by invitation only. {signIn} if an admin gave you one.</p>;
  }
  return (
    <>
      <Form className={styles.form} onSubmit={() => joining.mutate()}>
        <Field
          label="Your name"
          autoComplete="name"
          required
          maxLength={80}
          value={name}
          onValue={setName}
        />
        <Field
          label={byPasskey ? "Email, for alerts (optional)" : "Email"}
          type="email"
          autoComplete="username"
          required={!byPasskey}
          value={email}
          onValue={setEmail}
        />
        {byPasskey ? null : (
          <Field
            label="Password, at least 12 characters"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={200}
            value={password}
            onValue={setPassword}
          />
        )}
        <Button submit primary disabled={joining.isPending}>
          {byPasskey ? "Create a passkey and continue" : "Create account"}
        </Button>
        <Failed error={joining.error} />
      </Form>
      {oidc === null ? null : <ByOidc host={oidc} does="Continue" to="/you" link={secret} />}
      <p>{signIn}</p>
    </>
  );
}
