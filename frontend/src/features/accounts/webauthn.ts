/**
 * Passkeys between the server's JSON and the browser's buffers. Browsers that convert both by
 * themselves are newer than the oldest that this page is built for.
 */
type Json = Record<string, unknown>;

/** Asks the browser to make a passkey; its answer as the server reads it. */
export async function createPasskey(options: Json): Promise<Json> {
  const asked = options as unknown as {
    challenge: string;
    user: { id: string; name: string; displayName: string };
    excludeCredentials?: { id: string; type: "public-key" }[];
  };
  const made = await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: unpacked(asked.challenge),
      user: { ...asked.user, id: unpacked(asked.user.id) },
      excludeCredentials: (asked.excludeCredentials ?? []).map((one) => ({
        ...one,
        id: unpacked(one.id),
      })),
    },
  });
  const credential = made as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return told(credential, {
    clientDataJSON: packed(response.clientDataJSON),
    attestationObject: packed(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

/** Asks the browser for whichever passkey the reader has for this site. */
export async function getPasskey(options: Json): Promise<Json> {
  const given = await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: unpacked(options.challenge as string),
      allowCredentials: [],
    },
  });
  const credential = given as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return told(credential, {
    clientDataJSON: packed(response.clientDataJSON),
    authenticatorData: packed(response.authenticatorData),
    signature: packed(response.signature),
    userHandle: response.userHandle ? packed(response.userHandle) : undefined,
  });
}

/** Whether the reader has closed the browser's own dialog, or let it time out. */
export const wasCancelled = (error: unknown): boolean =>
  error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name);

function told(credential: PublicKeyCredential, response: Json): Json {
  return { id: credential.id, rawId: packed(credential.rawId), type: credential.type, response };
}

function unpacked(text: string): ArrayBuffer {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)).buffer;
}

function packed(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
