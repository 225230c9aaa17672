import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { changeFleet, type Fleet, fleetQuery, type Visibility } from "../../api/fleetSettings";
import { Unseen } from "../../figures/Unseen";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import prose from "../../ui/Prose.module.css";
import { Section } from "../../ui/Section";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { Amiss } from "./Amiss";
import { AuditLog } from "./AuditLog";
import { Deletion } from "./Deletion";
import { Devices } from "./Devices";
import { Failed } from "../../ui/Failed";
import { Links } from "./Links";
import { People } from "./People";
import { ProfileForm } from "./ProfileForm";
import { Retention } from "./Retention";
import { Secrets } from "./Secrets";
import { Verified } from "./Verified";
import styles from "../../ui/Manage.module.css";
import { SHOWN_TO } from "./words";

interface Props {
  name: string;
  onRenamed: (name: string) => void;
  onGone: () => void;
}

/** A fleet's people, secrets and devices; viewers see only its people. */
export function SettingsPage({ name, onRenamed, onGone }: Props) {
  useTitle(`${name}: settings`);
  const fleet = useQuery(fleetQuery(name));
  if (fleet.error) {
    return <Unseen error={fleet.error} onRetry={() => void fleet.refetch()} />;
  }
  if (!fleet.data) return <Skeleton height="40rem" lines={20} />;
  const isAdmin = fleet.data.role === "admin";
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>
          <bdi>{fleet.data.name}</bdi>: settings
        </h1>
        <p className={prose.lead}>
          <Link to="/fleets/$name" params={{ name: fleet.data.name }}>
            Dashboard
          </Link>
          {" · "}
          <Link to="/fleets/$name/sent" params={{ name: fleet.data.name }}>
            What leaves a Mac
          </Link>
          {isAdmin ? (
            <>
              {" · "}
              <Link to="/fleets/$name/duplicates" params={{ name: fleet.data.name }}>
                Duplicate Macs
              </Link>
            </>
          ) : (
            ". Its admins can change these settings."
          )}
        </p>
      </header>
      {isAdmin ? (
        <>
          <Secrets fleet={name} />
          <ProfileForm fleet={fleet.data} />
        </>
      ) : null}
      <People fleet={name} isAdmin={isAdmin} onLeft={onGone} />
      {isAdmin ? (
        <>
          <Shown key={fleet.data.visibility} fleet={fleet.data} />
          <Verified fleet={fleet.data} />
          <Devices fleet={name} />
          <Name key={fleet.data.name} fleet={fleet.data} onRenamed={onRenamed} />
          <Amiss fleet={name} />
          <Links fleet={name} />
          <Retention fleet={name} />
          <AuditLog fleet={name} />
          <Deletion fleet={fleet.data} onGone={onGone} />
        </>
      ) : null}
    </div>
  );
}

/** Visibility; going public needs confirmation and names the licence. */
function Shown({ fleet }: { fleet: Fleet }) {
  const [chosen, setChosen] = useState(fleet.visibility);
  const [agrees, setAgrees] = useState(false);
  const saving = useChange(() => changeFleet(fleet.id, { visibility: chosen, consent: agrees }));
  const asks = chosen === "public" && fleet.visibility !== "public";

  return (
    <Section id="visibility" title="Visibility">
      <Form className={styles.section} onSubmit={() => saving.mutate()}>
        <div role="radiogroup" aria-labelledby="visibility">
          {(Object.keys(SHOWN_TO) as Visibility[]).map((visibility) => (
            <label key={visibility} className={styles.choice}>
              <input
                type="radio"
                name="visibility"
                checked={chosen === visibility}
                onChange={() => setChosen(visibility)}
              />
              {SHOWN_TO[visibility].name}
              <span className={styles.under}>{SHOWN_TO[visibility].about}</span>
            </label>
          ))}
        </div>
        {asks ? (
          <label className={`${styles.choice} ${styles.warning}`}>
            <input
              type="checkbox"
              required
              checked={agrees}
              onChange={(event) => setAgrees(event.target.checked)}
            />
            Everybody may use, copy and publish these runs under CC0 1.0. Copies stay public if you
            make the fleet private again.
          </label>
        ) : null}
        <p className={styles.actions}>
          <Button submit disabled={chosen === fleet.visibility || saving.isPending}>
            {asks ? "Publish" : "Save"}
          </Button>
        </p>
        <Failed error={saving.error} />
      </Form>
    </Section>
  );
}

function Name({ fleet, onRenamed }: { fleet: Fleet; onRenamed: (name: string) => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(fleet.name);
  const saving = useMutation({
    mutationFn: () => changeFleet(fleet.id, { name }),
    onSuccess: async () => {
      onRenamed(name.trim());
      await queries.invalidateQueries();
    },
  });

  return (
    <Section id="name" title="Name">
      <p>The name is part of the fleet’s web addresses. Links with the old name stop working.</p>
      <Form className={styles.inline} onSubmit={() => saving.mutate()}>
        <Field label="Name" required maxLength={60} value={name} onValue={setName} />
        <Button submit disabled={name.trim() === fleet.name || saving.isPending}>
          Rename
        </Button>
      </Form>
      <Failed error={saving.error} />
    </Section>
  );
}
