import { Failed as Told } from "../../ui/Failed";
import { wasCancelled } from "./webauthn";

/** Why an action failed; browsers' own messages for unused passkeys aren't meant for readers. */
export function Failed({ error }: { error: Error | null }) {
  const message = wasCancelled(error) ? "Cancelled, or no passkey was found." : undefined;
  return <Told error={error} message={message} />;
}
