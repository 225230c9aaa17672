import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { createUploader } from "../../api/fleetSettings";
import { Failed } from "../../ui/Failed";
import { Copyable, ShownOnce } from "../../ui/ShownOnce";
import styles from "./settings.module.css";

/** A token for a program that uploads for many Macs; its secret is shown once. */
export function NewUploader({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const making = useMutation({
    mutationFn: () => createUploader(fleet, name),
    onSuccess: () => {
      setName("");
      return queries.invalidateQueries({ queryKey: ["fleets", fleet, "devices"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <>
      <form className={styles.inline} onSubmit={submit}>
        <label>
          Uploader
          <input
            className="field"
            required
            maxLength={60}
            placeholder="Importer"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={making.isPending}>
          Create uploader token
        </button>
      </form>
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
