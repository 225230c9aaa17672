import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Followed } from "../../api/events";
import { useArrivals } from "../../api/useArrivals";
import { useTitle } from "../../ui/useTitle";
import styles from "./AddPage.module.css";
import { agentQuery } from "./agent";
import { Command } from "../../ui/Command";
import { GetAgent } from "./GetAgent";

const EVERYTHING: Followed = { metrics: [], where: [], flagged: "include" };
const NONE: readonly string[] = [];

/** Guide from nothing to the first run. */
export function AddPage() {
  useTitle("Measure your Mac");
  const { data: offer, isPending } = useQuery(agentQuery);
  const enroll = `macmeter enroll --server ${location.origin}`;
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>Measure your Mac</h1>
        <p>
          The agent runs when you ask it to and leaves nothing running in between. You see what it
          would send before you agree to send anything.
        </p>
      </header>
      {/* Rendered at once, so that nothing moves when the server's offer arrives. */}
      <ol className={styles.steps} hidden={isPending}>
        <Step title="Get the agent">
          <GetAgent offer={offer} />
        </Step>
        <Step title="Connect it to this server">
          <p>
            Your runs will be public. For a fleet’s Mac, add <code>--secret</code> and the secret
            that its admin gave you. Nothing is sent before you answer yes.
          </p>
          <Command text={enroll} />
        </Step>
        <Step title="See what would be sent">
          <p>
            Chip, model, macOS and settings that change results, but no name, host name, serial
            number or hardware UUID.
          </p>
          <Command text="macmeter preview" />
        </Step>
        <Step title="Measure">
          <p>
            The quick test writes about 530 MB, takes seconds and says how fast your drive is among
            those of similar Macs. Without <code>--quick</code> it is the full test, and{" "}
            <code>macmeter all</code> measures cores and compression too.
          </p>
          <Command text="macmeter disk --quick" />
        </Step>
        <Step title="Find your results">
          <p>
            The agent’s last line is the address of your run. From there you reach your Mac’s page,
            its results over time and a comparison with its chip. To keep it on your page{" "}
            <Link to="/my-macs">My Macs</Link>, run <code>macmeter claim</code>.
          </p>
          <Waiting />
        </Step>
      </ol>
    </article>
  );
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <li className={styles.step}>
      <h2>{title}</h2>
      {children}
    </li>
  );
}

/** Status line that announces runs arriving while the page is open. */
function Waiting() {
  const [since] = useState(() => new Date().toISOString());
  const count = useArrivals(EVERYTHING, since, NONE);
  return (
    <p role="status" className={styles.waiting}>
      {count > 0 ? (
        <>
          A run has arrived.{" "}
          <Link to="/runs" search={{}}>
            Show the newest runs
          </Link>
        </>
      ) : (
        "This page tells you when a run arrives."
      )}
    </p>
  );
}
