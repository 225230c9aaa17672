import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { adoptLink, ownLinksQuery } from "../../api/session";
import { counted, day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./account.module.css";
import { Failed } from "./Failed";

/** The account's share links, and a form to adopt one saved while signed out. */
export function OwnLinks() {
  const queries = useQueryClient();
  const links = useQuery(ownLinksQuery);
  const [address, setAddress] = useState("");
  const [secret, setSecret] = useState("");
  const adopting = useMutation({
    mutationFn: () => adoptLink(slugOf(address), secret.trim()),
    onSuccess: () => {
      setAddress("");
      setSecret("");
      return queries.invalidateQueries({ queryKey: ownLinksQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adopting.mutate();
  };
  return (
    <section className={styles.section} aria-labelledby="links">
      <h2 id="links">Share links</h2>
      <p>
        Links that you saved while signed out have an owner secret. With it you can adopt one: your
        account then manages it from any browser.
      </p>
      {links.error ? <ProblemNotice error={links.error} /> : null}
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
      <form className={styles.inline} onSubmit={submit}>
        <label>
          Link
          <input
            className="field"
            required
            placeholder="/c/…"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
        <label>
          Owner secret
          <input
            className="field"
            required
            autoComplete="off"
            placeholder="mmo_…"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={adopting.isPending}>
          Adopt link
        </button>
      </form>
      <Failed error={adopting.error} />
    </section>
  );
}

/** The slug in an address, a path, or the slug itself. */
const slugOf = (address: string) => address.trim().replace(/\/$/, "").replace(/^.*\//, "");
