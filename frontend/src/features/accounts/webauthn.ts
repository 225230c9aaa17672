/**
 * Conversion of passkeys between the server's JSON and the browser's buffers. Browsers that do this
 * themselves are newer than the oldest supported one.
 */
type Json = Record<string, unknown>;

/** Ask the browser to create a passkey; return its response as the server expects it. */
export async function createPasskey(options: Json): Promise<Json> {
  const request = options as unknown as {
    challenge: string;
    user: { id: string; name: string; displayName: string };
    excludeCredentials?: { id: string; type: "public-key" }[];
  };
  const created = await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: unpacked(request.challenge),
      user: { ...request.user, id: unpacked(request.user.id) },
      excludeCredentials: (request.excludeCredentials ?? []).map((excluded) => ({
        ...excluded,
        id: unpacked(excluded.id),
      })),
    },
  });
  const credential = created as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return told(credential, {
    clientDataJSON: packed(response.clientDataJSON),
    attestationObject: packed(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

/** Ask the browser for any of the reader's passkeys for this site. */
export async function getPasskey(options: Json): Promise<Json> {
  const assertion = await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: unpacked(options.challenge as string),
      allowCredentials: [],
    },
  });
  const credential = assertion as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return told(credential, {
    clientDataJSON: packed(response.clientDataJSON),
    authenticatorData: packed(response.authenticatorData),
    signature: packed(response.signature),
    userHandle: response.userHandle ? packed(response.userHandle) : undefined,
  });
}

/** Whether the reader closed the browser's dialog, or let it time out. */
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
