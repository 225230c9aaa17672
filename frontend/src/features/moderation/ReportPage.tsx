import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reportQuery } from "../../api/review";
import { day } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "./ReviewPage.module.css";

const STATES = {
  open: "Not reviewed yet",
  upheld: "Reviewed: the run was withdrawn",
  dismissed: "Reviewed: the run was kept",
};

/** The state of a reader's report. Its secret is in the address's fragment. */
export function ReportPage() {
  useTitle("Your report");
  const [secret] = useState(() => location.hash.slice(1));
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>Your report</h1>
      </header>
      {secret ? (
        <Report secret={secret} />
      ) : (
        <Notice title="This link isn’t complete">
          <p>Open the whole link that you were given when you reported the problem.</p>
        </Notice>
      )}
    </div>
  );
}

function Report({ secret }: { secret: string }) {
  const report = useQuery(reportQuery(secret));
  if (report.error) {
    return <ProblemNotice error={report.error} onRetry={() => void report.refetch()} />;
  }
  if (!report.data) return <Skeleton height="12rem" lines={6} />;
  const { run, reason, created_at, state, answer, decided_at } = report.data;
  return (
    <>
      <Notice title={STATES[state]}>
        {answer && decided_at ? (
          <p>
            <bdi>{answer}</bdi> <span className="quiet">{day(decided_at)}</span>
          </p>
        ) : (
          <p>An admin of this server will read it. Keep this link to see the answer.</p>
        )}
      </Notice>
      <dl className={styles.reasons}>
        <div>
          <dt>What you wrote on {day(created_at)}</dt>
          <dd>
            <bdi>{reason}</bdi>
          </dd>
        </div>
        <div>
          <dt>About</dt>
          <dd>
            <Link to="/runs/$id" params={{ id: run }}>
              this run
            </Link>
          </dd>
        </div>
      </dl>
    </>
  );
}
