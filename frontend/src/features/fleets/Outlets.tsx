import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
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
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { AddForm } from "./AddForm";
import styles from "./Fleet.module.css";
import { TeamAddresses } from "./TeamAddresses";

const HOWS: [How, string][] = [
  ["off", "Not at all"],
  ["at_once", "At once"],
  ["digest", "Once a day"],
];

/** Alert destinations: the reader's own mail, and webhooks, which only admins see. */
export function Outlets({ fleet }: { fleet: Dashboard["fleet"] }) {
  return (
    <details>
      <summary>Send alerts by mail or webhook</summary>
      <div className={styles.outlets}>
        <Mail fleet={fleet.name} />
        {fleet.role === "admin" ? (
          <>
            <TeamAddresses fleet={fleet.name} />
            <Webhooks fleet={fleet.name} />
          </>
        ) : null}
      </div>
    </details>
  );
}

function Mail({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const mail = useQuery(alertMailQuery(fleet));
  const choose = useMutation({
    mutationFn: (how: How) => setAlertMail(fleet, how),
    onSettled: () => queries.invalidateQueries({ queryKey: ["fleet", fleet, "mail"] }),
  });
  if (mail.error) return <ProblemNotice error={mail.error} />;
  if (!mail.data) return null;
  const { email, how } = mail.data;
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
            value={how}
            disabled={choose.isPending}
            onChange={({ target }) => {
              const chosen = HOWS.find(([value]) => value === target.value);
              if (chosen) choose.mutate(chosen[0]);
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
      {choose.error ? <ProblemNotice error={choose.error} /> : null}
    </section>
  );
}

function Webhooks({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const webhooks = useQuery(webhooksQuery(fleet));
  const again = () => queries.invalidateQueries({ queryKey: ["fleet", fleet, "webhooks"] });
  const add = useMutation({
    mutationFn: (url: string) => addWebhook(fleet, url),
    onSuccess: again,
  });
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
      <bdi>{webhook.url}</bdi>{" "}
      <span className={styles.when}>
        {webhook.problem ??
          (webhook.last_sent_at ? `last sent on ${day(webhook.last_sent_at)}` : "")}
      </span>
      <div className={styles.acts}>
        <button
          type="button"
          className="button"
          disabled={trial.isPending}
          onClick={() => trial.mutate()}
        >
          Test
        </button>
        <button
          type="button"
          className="button"
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Delete
        </button>
        {trial.data ? (
          <span role="status">{trial.data.problem ?? "The test has arrived"}</span>
        ) : null}
      </div>
      {failure ? <ProblemNotice error={failure} /> : null}
    </li>
  );
}
