import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ownMachinesQuery } from "../../api/machines";
import { sessionQuery } from "../../api/session";
import { CopyButton } from "../../ui/CopyButton";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import styles from "./MyMacs.module.css";
import { OwnMac } from "./OwnMac";

/** The Macs that the reader has claimed: each with its verdict. */
export function MyMacsPage() {
  useTitle("My Macs");
  const session = useQuery(sessionQuery);
  if (session.error) return <ProblemNotice page error={session.error} />;
  if (!session.data) return <Skeleton height="30rem" lines={14} />;
  if (!session.data.person) {
    return (
      <Notice
        title="Sign in to see your Macs"
        page
        actions={
          <Link to="/sign-in" search={{ to: ["/my-macs"] }}>
            Sign in
          </Link>
        }
      >
        <p>No account yet? Claim a Mac first: the link creates your account.</p>
        <HowToClaim />
      </Notice>
    );
  }
  return <Macs />;
}

function Macs() {
  const own = useQuery(ownMachinesQuery);
  if (own.error) return <ProblemNotice page error={own.error} onRetry={() => void own.refetch()} />;
  if (!own.data) return <Skeleton height="30rem" lines={14} />;
  const { items } = own.data;
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>My Macs</h1>
        <p className={prose.lead}>
          {items.length === 0
            ? "You haven’t claimed a Mac yet."
            : "How each has changed, and how it compares with similar Macs."}
        </p>
      </header>
      {items.map((mac) => (
        <OwnMac key={mac.id} mac={mac} />
      ))}
      <section className={styles.how} aria-labelledby="how">
        <h2 id="how">{items.length === 0 ? "Claim a Mac" : "Claim another Mac"}</h2>
        <HowToClaim />
      </section>
    </div>
  );
}

function HowToClaim() {
  const enroll = `macmeter enroll --server ${location.origin}`;
  return (
    <ol className={styles.steps}>
      <li>
        On that Mac, <Link to="/add">install the agent</Link>.
      </li>
      <li>
        <Command text={enroll} /> Its runs are public. Skip this if the Mac uploads here already.
      </li>
      <li>
        <Command text="macmeter claim" /> Open the link that it prints, in any browser.
      </li>
    </ol>
  );
}

function Command({ text }: { text: string }) {
  return (
    <span className={styles.command}>
      <code>{text}</code>
      <CopyButton text={text}>Copy</CopyButton>
    </span>
  );
}
