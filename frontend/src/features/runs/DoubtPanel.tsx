import { useChange } from "../../api/useChange";
import { type FormEvent, useId, useState } from "react";
import { runQuery } from "../../api/queries";
import { reportDoubt } from "../../api/runs";
import { Button } from "../../ui/Button";
import { counted } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import panel from "../../ui/Panel.module.css";
import styles from "./RunPage.module.css";

interface Props {
  id: string;
  /** Number of readers who have reported a problem. */
  doubts: number;
}

/** Form to report a problem with a run, which stays in answers until the report is reviewed. */
export function DoubtPanel({ id, doubts }: Props) {
  const panelId = useId();
  const [open, setOpen] = useState(false);
  const reporting = useChange((reason: string) => reportDoubt(id, reason), runQuery(id).queryKey);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reporting.mutate(String(new FormData(event.currentTarget).get("reason") ?? "").trim());
  };
  return (
    <div className={styles.doubts}>
      <Button aria-expanded={open} aria-controls={panelId} onClick={() => setOpen(!open)}>
        Report a problem
      </Button>
      {doubts > 0 ? (
        <span className="quiet">{counted(doubts, "problem")} reported, not yet reviewed</span>
      ) : null}
      <section id={panelId} hidden={!open} className={panel.panel} aria-label="Report a problem">
        {reporting.isSuccess ? (
          <p role="status">
            Sent to the run’s owner and the server’s admin. If they withdraw the run, it is removed
            from all answers. Keep <a href={reporting.data.status_url}>the link to your report</a>:
            the answer appears there.
          </p>
        ) : (
          <form onSubmit={submit} className={panel.form}>
            <p className={panel.lead}>
              Why can’t these figures be right? The run’s owner and the server’s admin read it and
              decide. No account needed.
            </p>
            <label>
              Reason, 10 to 2000 characters
              <textarea
                className="field"
                name="reason"
                required
                minLength={10}
                maxLength={2000}
                rows={4}
              />
            </label>
            {reporting.error ? <ProblemNotice error={reporting.error} /> : null}
            <div className={panel.row}>
              <Button submit primary disabled={reporting.isPending}>
                {reporting.isPending ? "Sending" : "Send"}
              </Button>
              <Button asText onClick={() => setOpen(false)}>
                Cancel
              </Button>
            </div>
          </form>
        )}
      </section>
    </div>
  );
}
