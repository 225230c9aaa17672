import { useState } from "react";
import { createSecret, type Fleet, secretsQuery } from "../../api/fleetSettings";
import { save } from "../../figures/charts/picture";
import { useChange } from "../../api/useChange";
import { Button } from "../../ui/Button";
import { Failed } from "../../ui/Failed";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import { costInWords, mobileconfig, type Suite, SUITES, type MeasuringPlan } from "./profile";
import styles from "../../ui/Manage.module.css";

const NAMES: Record<Suite, string> = {
  disk: "Storage",
  hash: "Hashing",
  compress: "Compression",
  cores: "Cores",
  power: "Power",
};

/** Make a profile, with a new secret if it is to have one, and download it. */
async function download(fleet: Fleet, plan: MeasuringPlan, hasSecret: boolean): Promise<void> {
  const name = `Profile of ${day(new Date().toISOString())}`;
  const secret = hasSecret ? await createSecret(fleet.id, { name, quota: null }) : null;
  const server = window.location.origin;
  const text = mobileconfig({ ...plan, server, fleet, secret: secret?.secret ?? null });
  save(new Blob([text], { type: "application/x-apple-aspen-config" }), "macmeter.mobileconfig");
}

/** A profile to download for device management, and what it costs each Mac. */
export function ProfileForm({ fleet }: { fleet: Fleet }) {
  const [schedule, setSchedule] = useState<MeasuringPlan["schedule"]>("week");
  const [suites, setSuites] = useState<Suite[]>(["disk"]);
  const [isQuick, setQuick] = useState(false);
  const [limit, setLimit] = useState("");
  const [hasSecret, setHasSecret] = useState(false);
  const plan = { schedule, suites, isQuick, limit: limit === "" ? null : Number(limit) };
  const making = useChange(
    () => download(fleet, plan, hasSecret),
    secretsQuery(fleet.name).queryKey,
    () => setHasSecret(false),
  );

  return (
    <Section id="profile" title="Profile for device management">
      <p>
        Macs that have the agent’s package read it every day, so a later profile takes effect too.
        Each Mac measures at a time of its own.
      </p>
      <Form className={styles.section} onSubmit={() => making.mutate()}>
        <div className={styles.inline}>
          <label>
            Measure
            <select
              className="field"
              value={schedule}
              onChange={(event) => setSchedule(event.target.value === "day" ? "day" : "week")}
            >
              <option value="week">Every week</option>
              <option value="day">Every day</option>
            </select>
          </label>
          <Field
            label="Most GB written a week (optional)"
            type="number"
            min={1}
            max={100_000}
            placeholder="No limit"
            value={limit}
            onValue={setLimit}
          />
        </div>
        <fieldset className={styles.picker}>
          <legend>What is measured</legend>
          <div className={styles.actions}>
            {SUITES.map((suite) => (
              <label key={suite}>
                <input
                  type="checkbox"
                  checked={suites.includes(suite)}
                  onChange={({ target }) =>
                    setSuites(
                      SUITES.filter((id) => (id === suite ? target.checked : suites.includes(id))),
                    )
                  }
                />{" "}
                {NAMES[suite]}
              </label>
            ))}
          </div>
        </fieldset>
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={isQuick}
            onChange={(event) => setQuick(event.target.checked)}
          />
          Quick tests
          <span className={styles.under}>
            They write little. Of storage, only speeds by file size count with full runs.
          </span>
        </label>
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={hasSecret}
            onChange={(event) => setHasSecret(event.target.checked)}
          />
          Include a new enrolment secret
          <span className={styles.under}>
            Macs with the profile then join this fleet by themselves, and you accept the server’s
            terms for them.
          </span>
        </label>
        {hasSecret ? (
          <p className={styles.warning}>
            Whoever has the file, or an account on a Mac with the profile, can read the secret and
            add Macs to this fleet. Revoke it above when all have joined.
          </p>
        ) : null}
        <p role="status">{suites.length > 0 ? costInWords(plan) : "Choose what is measured."}</p>
        <p className={styles.actions}>
          <Button submit disabled={suites.length === 0 || making.isPending}>
            Download profile
          </Button>
        </p>
        <Failed error={making.error} />
      </Form>
    </Section>
  );
}
