import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { allFleetMachines } from "../../api/fleets";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { counted } from "../../ui/format";
import { AT_ONCE, type Matched, matchNames, readNames } from "./names";
import styles from "./Fleet.module.css";

interface Props {
  fleet: string;
  isBusy: boolean;
  onName: (machines: { id: string; name: string }[]) => void;
}

const SHOWN = 5;

/** Names for many Macs, from a CSV file of ids or labels and names. */
export function Import({ fleet, isBusy, onName }: Props) {
  const [matched, setMatched] = useState<Matched>();
  const reading = useMutation({
    mutationFn: async (file: File) =>
      matchNames(readNames(await file.text()), await allFleetMachines(fleet)),
    onSuccess: setMatched,
  });
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setMatched(undefined);
    const file = target.files?.[0];
    if (file) reading.mutate(file);
  };
  const count = matched?.named.length ?? 0;
  return (
    <details>
      <summary>Names from a CSV file</summary>
      <div className={styles.names}>
        <p>
          Each line has a Mac’s id, the start of it, its present name or the value of a label, such
          as a serial number, then the new name.
        </p>
        <input
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-label="CSV file"
          onChange={choose}
        />
        {matched ? (
          <p role="status">
            {counted(count, "Mac")} found.{" "}
            {matched.unknown.length > 0 ? (
              <bdi>
                Not found: {matched.unknown.slice(0, SHOWN).join(", ")}
                {matched.unknown.length > SHOWN
                  ? ` and ${counted(matched.unknown.length - SHOWN, "other")}`
                  : ""}
                .
              </bdi>
            ) : null}{" "}
            {count > AT_ONCE ? `The first ${counted(AT_ONCE, "Mac")} are named at once.` : ""}
          </p>
        ) : null}
        {count > 0 ? (
          <Button
            disabled={isBusy}
            onClick={() => {
              onName(matched?.named.slice(0, AT_ONCE) ?? []);
              setMatched(undefined);
            }}
          >
            Name {counted(Math.min(count, AT_ONCE), "Mac")}
          </Button>
        ) : null}
        <Failed error={reading.error} />
      </div>
    </details>
  );
}
