import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmAddress } from "../../api/alertAddresses";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { Notice } from "../../ui/Notice";
import prose from "../../ui/Prose.module.css";
import { useTitle } from "../../ui/useTitle";

/** Page of a mail that asks whether a fleet's alerts may be sent to its address. */
export function ConfirmAddressPage() {
  useTitle("Confirm an address");
  const [secret] = useState(() => location.hash.slice(1));
  const confirming = useMutation({ mutationFn: () => confirmAddress(secret) });
  if (secret === "") {
    return (
      <Notice title="This link is incomplete" page>
        <p>Copy it whole, with the part after #, or ask for a new one.</p>
      </Notice>
    );
  }
  if (confirming.data) {
    const { email, fleet } = confirming.data;
    return (
      <Notice title="Address confirmed" page>
        <p>
          Alerts of <bdi>{fleet}</bdi> are now sent to <bdi>{email}</bdi>. An admin of the fleet can
          end that.
        </p>
      </Notice>
    );
  }
  return (
    <header className={prose.head}>
      <h1>Confirm an address</h1>
      <p className={prose.lead}>
        An admin of a fleet wants to send its alerts to the address that this link was mailed to.
      </p>
      <p>
        <Button primary disabled={confirming.isPending} onClick={() => confirming.mutate()}>
          Send the alerts to this address
        </Button>
      </p>
      <Failed error={confirming.error} />
    </header>
  );
}
