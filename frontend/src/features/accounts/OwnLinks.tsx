import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { adoptLink, ownLinksQuery } from "../../api/session";
import { useChange } from "../../api/useChange";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Form } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { counted, day } from "../../ui/format";
import styles from "../../ui/Manage.module.css";
import { Failed } from "./Failed";

/** The account's share links, and a form to adopt one saved while signed out. */
export function OwnLinks() {
  const links = useQuery(ownLinksQuery);
  const [address, setAddress] = useState("");
  const [secret, setSecret] = useState("");
  const adopting = useChange(
    () => adoptLink(slugOf(address), secret.trim()),
    ownLinksQuery.queryKey,
    () => {
      setAddress("");
      setSecret("");
    },
  );

  return (
    <Section id="links" title="Share links" error={links.error}>
      <p>
        Links that you saved while signed out have an owner secret. With it you can adopt one: your
        account then manages it from any browser.
      </p>

      <ul>
        {links.data?.items.map(({ slug, title, state, created_at, runs, of_fleet }) => (
          <li key={slug} className={styles.row}>
            <div>
              <Link to="/c/$slug" params={{ slug }}>
                <bdi>{title ?? `/c/${slug}`}</bdi>
              </Link>
              <span className={styles.under}>
                {counted(runs, "run")} · {day(created_at)} · {state}
                {of_fleet ? " · private figures of a fleet" : ""}
              </span>
            </div>
          </li>
        ))}
      </ul>
      <Form className={styles.inline} onSubmit={() => adopting.mutate()}>
        <Field label="Link" required placeholder="/c/…" value={address} onValue={setAddress} />
        <Field
          label="Owner secret"
          required
          autoComplete="off"
          placeholder="mmo_…"
          value={secret}
          onValue={setSecret}
        />
        <Button submit disabled={adopting.isPending}>
          Adopt link
        </Button>
      </Form>
      <Failed error={adopting.error} />
    </Section>
  );
}

/** The slug in an address, a path, or the slug itself. */
const slugOf = (address: string) => address.trim().replace(/\/$/, "").replace(/^.*\//, "");
