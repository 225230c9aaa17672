import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { createFleet, fleetsQuery } from "../../api/fleetSettings";
import { sessionQuery } from "../../api/session";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { counted } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";
import { SHOWN_TO } from "./words";
import { roleWords } from "../../ui/RoleChoice";

/** The reader's fleets, and a form to create one. */
export function FleetsPage({ onMade }: { onMade: (name: string) => void }) {
  useTitle("Fleets");
  const session = useQuery(sessionQuery);
  if (session.data && !session.data.person) {
    return (
      <Notice
        title="Sign in to see your fleets"
        page
        actions={
          <>
            <Link to="/sign-in" search={{ to: ["/fleets"] }}>
              Sign in
            </Link>
            <Link to="/">Go to the overview</Link>
          </>
        }
      />
    );
  }
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>Fleets</h1>
        <p className={prose.lead}>
          A fleet is a group of Macs with its own people. Its runs are private unless you decide
          otherwise.
        </p>
      </header>
      {session.data ? <Own onMade={onMade} /> : <Skeleton height="12rem" lines={6} />}
    </div>
  );
}

function Own({ onMade }: { onMade: (name: string) => void }) {
  const fleets = useQuery(fleetsQuery);
  if (fleets.error) {
    return <ProblemNotice error={fleets.error} onRetry={() => void fleets.refetch()} />;
  }
  if (!fleets.data) return <Skeleton height="12rem" lines={6} />;
  const { items, may_create } = fleets.data;
  return (
    <>
      {items.length === 0 ? (
        <p>
          {may_create
            ? "There is no fleet yet."
            : "You are in no fleet. A fleet’s admin can invite you."}
        </p>
      ) : (
        <ul>
          {items.map((fleet) => (
            <li key={fleet.id} className={styles.row}>
              <div>
                <Link to="/fleets/$name" params={{ name: fleet.name }}>
                  <bdi>{fleet.name}</bdi>
                </Link>
                <span className={styles.under}>
                  {counted(fleet.machines, "Mac")} · {counted(fleet.people, "person", "people")} ·{" "}
                  {SHOWN_TO[fleet.visibility].name}
                </span>
              </div>
              <div className={styles.actions}>
                <span className="quiet">{roleWords(fleet)}</span>
                {fleet.where ? null : (
                  <Link to="/fleets/$name/settings" params={{ name: fleet.name }}>
                    Settings
                  </Link>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {may_create ? <Making onMade={onMade} /> : null}
    </>
  );
}

function Making({ onMade }: { onMade: (name: string) => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const making = useMutation({
    mutationFn: () => createFleet(name),
    onSuccess: async (newFleet) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: fleetsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true }),
      ]);
      onMade(newFleet.name);
    },
  });

  return (
    <Section id="new-fleet" title="New fleet">
      <Form className={styles.inline} onSubmit={() => making.mutate()}>
        <Field
          label="Name"
          required
          maxLength={60}
          placeholder="Design studio"
          value={name}
          onValue={setName}
        />
        <Button submit disabled={making.isPending}>
          Create fleet
        </Button>
      </Form>
      <Failed error={making.error} />
    </Section>
  );
}
