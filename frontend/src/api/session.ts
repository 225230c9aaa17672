import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, read, inPath } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Session = Schemas["SessionResponse"];
export type InvitedTo = Schemas["LinkResponse"];
export type Invitation = Schemas["InvitationResponse"];
export type PersonToken = Schemas["PersonToken"];
export type NewAccount = Schemas["AccountNew"];

/** The signed-in person, their fleets, and the ways to sign in here. */
export const sessionQuery = { ...read(["session"], "/api/v1/session"), staleTime: 60_000 };

export const signInByPassword = (email: string, password: string) =>
  dataOf(client.POST("/api/v1/session/password", { body: { email, password } }));

export const passkeyOptions = () => dataOf(client.POST("/api/v1/session/passkey/options"));

export const signInByPasskey = (credential: Record<string, unknown>) =>
  dataOf(client.POST("/api/v1/session/passkey", { body: { credential } }));

/** Get the address of the organisation's own sign-in; `link` is an invitation's secret. */
export const beginOidc = (to: string, link?: string) =>
  dataOf(client.POST("/api/v1/session/oidc", { body: { to, link: link ?? null } }));

export const signOut = () => dataOf(client.DELETE("/api/v1/session"));

/** The content of the invitation with this secret. */
export function invitationQuery(secret: string) {
  return queryOptions({
    queryKey: ["invitation", secret],
    queryFn: ({ signal }) =>
      dataOf(client.POST("/api/v1/invitations/open", { body: { secret }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

export const firstPasskeyOptions = (secret: string, name: string) =>
  dataOf(client.POST("/api/v1/invitations/passkey/options", { body: { secret, name } }));

/** Accept an invitation as the signed-in person, or with a new `account`. */
export const acceptInvitation = (secret: string, account?: NewAccount) =>
  dataOf(client.POST("/api/v1/invitations/accept", { body: { secret, account } }));

export const invitationsQuery = read(["session", "invitations"], "/api/v1/invitations");

/** Invite to a fleet; without `fleet`, to administer the server. */
export const invite = (body: Schemas["InvitationNew"]) =>
  dataOf(client.POST("/api/v1/invitations", { body }));

export const revokeInvitation = (link_id: string) =>
  dataOf(client.DELETE("/api/v1/invitations/{link_id}", inPath({ link_id })));

export const changeAccount = (body: Schemas["AccountChanges"]) =>
  dataOf(client.PATCH("/api/v1/account", { body }));

/** Delete the account; `erase` also deletes its links and its name in the audit log. */
export const deleteAccount = (erase: boolean) =>
  dataOf(client.DELETE("/api/v1/account", { params: { query: { erase } } }));

/** Transfer a link saved with an owner secret to the account. */
export const adoptLink = (slug: string, owner_secret: string) =>
  dataOf(
    client.PUT("/api/v1/comparisons/{slug}/owner", {
      ...inPath({ slug }),
      body: { owner_secret },
    }),
  );

export const ownLinksQuery = read(["session", "links"], "/api/v1/comparisons");

export const setPassword = (password: string, current?: string) =>
  dataOf(client.PUT("/api/v1/account/password", { body: { password, current } }));

export const removePassword = () => dataOf(client.DELETE("/api/v1/account/password"));

export const passkeysQuery = read(["session", "passkeys"], "/api/v1/account/passkeys");

export const newPasskeyOptions = () => dataOf(client.POST("/api/v1/account/passkeys/options"));

export const addPasskey = (name: string, credential: Record<string, unknown>) =>
  dataOf(client.POST("/api/v1/account/passkeys", { body: { name, credential } }));

export const renamePasskey = (passkey_id: string, name: string) =>
  dataOf(
    client.PATCH("/api/v1/account/passkeys/{passkey_id}", {
      ...inPath({ passkey_id }),
      body: { name },
    }),
  );

export const removePasskey = (passkey_id: string) =>
  dataOf(client.DELETE("/api/v1/account/passkeys/{passkey_id}", inPath({ passkey_id })));

export const sessionsQuery = read(["session", "sessions"], "/api/v1/sessions");

export const endSession = (session_id: string) =>
  dataOf(client.DELETE("/api/v1/sessions/{session_id}", inPath({ session_id })));

export const endOtherSessions = () => dataOf(client.DELETE("/api/v1/sessions"));

export const tokensQuery = read(["session", "tokens"], "/api/v1/tokens");

export const makeToken = (body: Schemas["TokenNew"]) =>
  dataOf(client.POST("/api/v1/tokens", { body }));

export const revokeToken = (token_id: string) =>
  dataOf(client.DELETE("/api/v1/tokens/{token_id}", inPath({ token_id })));

export const PEOPLE_AT_ONCE = 50;
export type PersonListed = Schemas["PersonListed"];

/** Everyone with an account, for the server's admins. */
export const everybodyQuery = (offset: number) =>
  read(["session", "people", offset], "/api/v1/people", {
    params: { query: { limit: PEOPLE_AT_ONCE, offset } },
  });

export const setServerAdmin = (person_id: string, server_admin: boolean) =>
  dataOf(
    client.PATCH("/api/v1/people/{person_id}", {
      ...inPath({ person_id }),
      body: { server_admin },
    }),
  );

export const deletePerson = (person_id: string) =>
  dataOf(client.DELETE("/api/v1/people/{person_id}", inPath({ person_id })));
