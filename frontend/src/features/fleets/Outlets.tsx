import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import {
  addWebhook,
  alertMailQuery,
  type Dashboard,
  deleteWebhook,
  type How,
  setAlertMail,
  testWebhook,
  type Webhook,
  webhooksQuery,
} from "../../api/fleets";
import { Button } from "../../ui/Button";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { AddForm } from "./AddForm";
import { groupWords } from "./asked";
import styles from "./Fleet.module.css";
import { OfGroup, TeamAddresses } from "./TeamAddresses";

const HOWS: [How, string][] = [
  ["off", "Not at all"],
  ["at_once", "At once"],
  ["digest", "Once a day"],
];

interface Props {
  fleet: Dashboard["fleet"];
  /** Filter of the group whose alerts a new one gets; empty for the whole fleet. */
  where: string;
}

/** Alert destinations: the reader's own mail, and webhooks, which only admins see. */
export function Outlets({ fleet, where }: Props) {
  return (
    <details>
      <summary>
        Send {where ? <bdi>alerts of {groupWords(where)}</bdi> : "alerts"} by mail or webhook
      </summary>
      <div className={styles.outlets}>
        <Mail fleet={fleet.name} where={where} />
        {fleet.role === "admin" ? (
          <>
            <TeamAddresses fleet={fleet.name} where={where} />
            <Webhooks fleet={fleet.name} where={where} />
          </>
        ) : null}
      </div>
    </details>
  );
}

interface OutletProps {
  fleet: string;
  where: string;
}

function Mail({ fleet, where }: OutletProps) {
  const queries = useQueryClient();
  const mail = useQuery(alertMailQuery(fleet));
  const choose = useMutation({
    mutationFn: (how: How) => setAlertMail(fleet, how, where),
    onSettled: () => queries.invalidateQueries({ queryKey: ["fleet", fleet, "mail"] }),
  });
  if (mail.error) return <ProblemNotice error={mail.error} />;
  if (!mail.data) return null;
  const { email, how } = mail.data;
  // There is one choice a fleet: another one than this page's is said, and replaced by a new one.
  const isOther = how !== "off" && mail.data.where !== where;
  return (
    <section className={section.section}>
      <h3>Mail to you</h3>
      {email === null ? (
        <p className={section.note}>Your account has no mail address.</p>
      ) : (
        <label className={section.choose}>
          <bdi>{email}</bdi>
          <select
            className="field"
            value={isOther ? "off" : how}
            disabled={choose.isPending}
            onChange={({ target }) => {
              const option = HOWS.find(([value]) => value === target.value);
              if (option) choose.mutate(option[0]);
            }}
          >
            {HOWS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      {isOther ? (
        <p className={section.note}>
          You get alerts of <bdi>{groupWords(mail.data.where) || "the whole fleet"}</bdi>. What you
          choose here takes the place of that.
        </p>
      ) : null}
      {choose.error ? <ProblemNotice error={choose.error} /> : null}
    </section>
  );
}

function Webhooks({ fleet, where }: OutletProps) {
  const queries = useQueryClient();
  const webhooks = useQuery(webhooksQuery(fleet));
  const again = () => queries.invalidateQueries({ queryKey: ["fleet", fleet, "webhooks"] });
  const add = useChange(
    (url: string) => addWebhook(fleet, url, where),
    ["fleet", fleet, "webhooks"],
  );
  return (
    <section className={section.section}>
      <h3>Webhooks</h3>
      <p className={section.note}>
        JSON with a text, as Slack takes it. Each webhook has a secret that its bodies are signed
        with.
      </p>
      {webhooks.error ? <ProblemNotice error={webhooks.error} /> : null}
      <ul className={styles.lines}>
        {webhooks.data?.items.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} fleet={fleet} onDone={again} />
        ))}
      </ul>
      <AddForm
        label="Address of a webhook"
        type="url"
        maxLength={2000}
        placeholder="https://hooks.example.org/…"
        isPending={add.isPending}
        onAdd={add.mutate}
      />
      {add.data ? (
        <p role="status">
          Its secret, shown only now: <code>{add.data.secret}</code>
        </p>
      ) : null}
      {add.error ? <ProblemNotice error={add.error} /> : null}
    </section>
  );
}

interface RowProps {
  webhook: Webhook;
  fleet: string;
  onDone: () => Promise<void>;
}

function Row({ webhook, fleet, onDone }: RowProps) {
  const trial = useMutation({ mutationFn: () => testWebhook(fleet, webhook.id) });
  const remove = useMutation({
    mutationFn: () => deleteWebhook(fleet, webhook.id),
    onSuccess: onDone,
  });
  const failure = trial.error ?? remove.error;
  return (
    <li>
      <bdi>{webhook.url}</bdi> <OfGroup where={webhook.where} />{" "}
      <span className={styles.when}>
        {webhook.problem ??
          (webhook.last_sent_at ? `last sent on ${day(webhook.last_sent_at)}` : "")}
      </span>
      <div className={styles.acts}>
        <Button disabled={trial.isPending} onClick={() => trial.mutate()}>
          Test
        </Button>
        <Button disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
        {trial.data ? (
          <span role="status">{trial.data.problem ?? "The test has arrived"}</span>
        ) : null}
      </div>
      {failure ? <ProblemNotice error={failure} /> : null}
    </li>
  );
}
