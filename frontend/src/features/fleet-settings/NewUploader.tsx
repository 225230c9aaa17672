import { useState } from "react";
import { createUploader } from "../../api/fleetSettings";
import { useChange } from "../../api/useChange";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import styles from "../../ui/Manage.module.css";

/** A token for a program that uploads for many Macs; its secret is shown once. */
export function NewUploader({ fleet }: { fleet: string }) {
  const [name, setName] = useState("");
  const making = useChange(
    () => createUploader(fleet, name),
    ["fleets", fleet, "devices"],
    () => setName(""),
  );

  return (
    <>
      <Form className={styles.inline} onSubmit={() => making.mutate()}>
        <Field
          label="Uploader"
          required
          maxLength={60}
          placeholder="Importer"
          value={name}
          onValue={setName}
        />
        <Button submit disabled={making.isPending}>
          Create uploader token
        </Button>
      </Form>
      <p>An uploader writes the runs of any Mac of this fleet, and reads all of them.</p>
      <Failed error={making.error} />
      {making.data ? (
        <ShownOnce>
          <p>Copy this now. The token is shown only once.</p>
          <Copyable text={making.data.secret}>Copy token</Copyable>
        </ShownOnce>
      ) : null}
    </>
  );
}
