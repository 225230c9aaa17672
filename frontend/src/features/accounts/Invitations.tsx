import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { type ComponentProps, useId, useState } from "react";
import {
  type Invitation,
  invitationsQuery,
  invite,
  revokeInvitation,
  type Session,
} from "../../api/session";
import { peopleQuery } from "../../api/fleetSettings";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { RoleChoice, roleWords } from "../../ui/RoleChoice";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import styles from "../../ui/Manage.module.css";
import { Failed } from "./Failed";

/** For admins: invitations to their fleets, or to administer the server. */
export function Invitations({ session }: { session: Session }) {
  const administered = session.fleets.filter(({ role }) => role === "admin");
  const isServerAdmin = session.person?.server_admin ?? false;
  if (administered.length === 0 && !isServerAdmin) return null;
  return (
    <Section id="invitations" title="Invitations">
      <Open />
      <Inviting fleets={administered} isServerAdmin={isServerAdmin} mails={session.mail} />
    </Section>
  );
}

function Open() {
  const invitations = useQuery(invitationsQuery);
  const revoking = useChange(revokeInvitation, invitationsQuery.queryKey);
  if (invitations.error) return <ProblemNotice error={invitations.error} />;
  return (
    <>
      <ul>
        {invitations.data?.items.map((invitation) => (
          <li key={invitation.id} className={styles.row}>
            <div>
              {invitation.email ?? "By link"}
              <span className={styles.under}>{aboutInvitation(invitation)}</span>
            </div>
            <Button
              asText
              disabled={revoking.isPending}
              aria-label={`Revoke ${invitation.email ?? "By link"}, ${aboutInvitation(invitation)}`}
              onClick={() => revoking.mutate(invitation.id)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <Failed error={revoking.error} />
    </>
  );
}

function aboutInvitation({ fleet, role, where, invited_by, expires_at }: Invitation): string {
  const to = fleet === null ? "Admin of this server" : `${fleet}, ${roleWords({ role, where })}`;
  const by = invited_by === null ? "" : ` · by ${invited_by}`;
  return `${to}${by} · until ${day(expires_at)}`;
}

interface InvitingProps {
  fleets: Session["fleets"];
  isServerAdmin: boolean;
  mails: boolean;
}

/** The option without a fleet. */
const SERVER = "";
const VIEWER: ComponentProps<typeof RoleChoice>["value"] = { role: "viewer", where: "" };

function Inviting({ fleets, isServerAdmin, mails }: InvitingProps) {
  const [fleet, setFleet] = useState(fleets[0]?.id ?? SERVER);
  const role = useId();
  const [granted, setGranted] = useState(VIEWER);
  const groups = useQuery({ ...peopleQuery(fleet), enabled: fleet !== SERVER }).data?.groups ?? [];
  const [email, setEmail] = useState("");
  const inviting = useChange(
    () =>
      invite({
        fleet: fleet === SERVER ? null : fleet,
        ...(fleet === SERVER ? { role: "admin", where: "" } : granted),
        email: email === "" ? null : email,
      }),
    invitationsQuery.queryKey,
    () => setEmail(""),
  );

  return (
    <>
      <Form className={styles.inline} onSubmit={() => inviting.mutate()}>
        <label>
          To
          <select
            className="field"
            value={fleet}
            onChange={(event) => {
              setFleet(event.target.value);
              setGranted(VIEWER);
            }}
          >
            {fleets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {isServerAdmin ? <option value={SERVER}>This server, as its admin</option> : null}
          </select>
        </label>
        {fleet === SERVER ? null : (
          <label htmlFor={role}>
            Role
            <RoleChoice id={role} value={granted} groups={groups} onChange={setGranted} />
          </label>
        )}
        {mails ? (
          <Field label="Email (optional)" type="email" value={email} onValue={setEmail} />
        ) : null}
        <Button submit disabled={inviting.isPending}>
          Invite
        </Button>
      </Form>
      <Failed error={inviting.error} />
      {inviting.data ? <Made {...inviting.data} /> : null}
    </>
  );
}

interface MadeProps {
  link: string;
  mailed: boolean;
  email: string | null;
  mail_problem?: string | null | undefined;
}

function Made({ link, mailed, email, mail_problem }: MadeProps) {
  return (
    <ShownOnce>
      <p>
        {mailed ? `Mailed to ${email}.` : "Send this link to the person you invite."} It works once,
        within 7 days, and is shown only once.
      </p>
      {mail_problem ? <p className={styles.failed}>The mail was not sent. {mail_problem}</p> : null}
      <Copyable text={link}>Copy link</Copyable>
    </ShownOnce>
  );
}
