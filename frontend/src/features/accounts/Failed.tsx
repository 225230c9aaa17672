import { Failed as Told } from "../../ui/Failed";
import { wasCancelled } from "./webauthn";

/** Why something was not done; browsers have no words of their own for a passkey that was not used. */
export function Failed({ error }: { error: Error | null }) {
  const said = wasCancelled(error) ? "Cancelled, or no passkey was found." : undefined;
  return <Told error={error} said={said} />;
}
