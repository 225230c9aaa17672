import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { type FleetMachine, fleetMachinesQuery } from "../../api/fleets";
import { Button } from "../../ui/Button";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { Section } from "../../ui/Section";
import { counted, day, shortId } from "../../ui/format";
import styles from "../../ui/Manage.module.css";

interface Props {
  fleet: string;
  isBusy: boolean;
  onMerge: (id: string, into: string) => void;
}

/** Merge form for any two ids of a fleet: the one to remove, and the one that gets its runs. */
export function MergeForm({ fleet, isBusy, onMerge }: Props) {
  const [former, setFormer] = useState<FleetMachine>();
  const [present, setPresent] = useState<FleetMachine>();
  const isPair = former && present && former.id !== present.id;
  return (
    <Section id="merge" title="Merge two ids">
      <p>
        The new id gets all runs, and the old one can’t upload any more. Documents and saved
        comparisons don’t change. You can take it back at any time.
      </p>
      <Picker fleet={fleet} legend="Old id" chosen={former} onChoose={setFormer} />
      <Picker fleet={fleet} legend="New id" chosen={present} onChoose={setPresent} />
      {former && former.id === present?.id ? (
        <p className={styles.failed} role="alert">
          This is the same id twice. Choose another new id.
        </p>
      ) : null}
      {isPair && !former.amiss.includes("silent") ? (
        <p className={styles.warning} role="status">
          {shortId(former.id)} still uploads. Does this Mac start from two installations of macOS?
          Each has an id of its own: keep both, or one can’t upload any more.
        </p>
      ) : null}
      <p className={styles.actions}>
        {isPair ? (
          <Confirmed
            label="Merge"
            confirm={`Give ${counted(former.runs, "run")} of ${shortId(former.id)} to ${shortId(present.id)}`}
            isBusy={isBusy}
            onConfirm={() => {
              setFormer(undefined);
              setPresent(undefined);
              onMerge(former.id, present.id);
            }}
          />
        ) : (
          <Button asText disabled>
            Merge
          </Button>
        )}
      </p>
    </Section>
  );
}

interface PickerProps {
  fleet: string;
  legend: string;
  chosen: FleetMachine | undefined;
  onChoose: (machine: FleetMachine | undefined) => void;
}

const MAX_SHOWN = 6;

function Picker({ fleet, legend, chosen, onChoose }: PickerProps) {
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const matches = useQuery({
    ...fleetMachinesQuery(fleet, { q, limit: MAX_SHOWN }, null),
    placeholderData: keepPreviousData,
    enabled: q !== "" && !chosen,
  });
  if (chosen) {
    return (
      <div className={styles.row}>
        <div>
          {legend}: <bdi>{chosen.words.title}</bdi>
          <span className={styles.under}>{aboutMac(chosen)}</span>
        </div>
        <div className={styles.actions}>
          <Button
            asText
            aria-label={`Change ${legend.toLowerCase()}`}
            onClick={() => onChoose(undefined)}
          >
            Change
          </Button>
        </div>
      </div>
    );
  }
  return (
    <fieldset className={styles.picker}>
      <legend>{legend}</legend>
      <input
        className="field"
        type="search"
        maxLength={200}
        aria-label={`${legend}: find by id, name, model or chip`}
        placeholder="Id, name, model or chip"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Failed error={matches.error} />
      {q !== "" && matches.data ? (
        <>
          <ul>
            {matches.data.items.map((machine) => (
              <li key={machine.id}>
                <button type="button" className={styles.found} onClick={() => onChoose(machine)}>
                  <bdi>{machine.words.title}</bdi>
                  <span className={styles.under}>{aboutMac(machine)}</span>
                </button>
              </li>
            ))}
          </ul>
          <p className="quiet" role="status">
            {matches.data.total > MAX_SHOWN
              ? `${counted(matches.data.total, "Mac")} match. Type more to see others.`
              : matches.data.total === 0
                ? "No Mac matches."
                : null}
          </p>
        </>
      ) : null}
    </fieldset>
  );
}

function aboutMac({ id, chip, runs, last_received_at }: FleetMachine): string {
  return [
    shortId(id),
    chip,
    counted(runs, "run"),
    last_received_at && `last on ${day(last_received_at)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
