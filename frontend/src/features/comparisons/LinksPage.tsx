import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Problem } from "../../api/client";
import { comparisonQuery } from "../../api/comparisons";
import { catalogQuery } from "../../api/queries";
import type { Comparison } from "../../api/types";
import { Button } from "../../ui/Button";
import { counted, day } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { useTitle } from "../../ui/useTitle";
import { type Words, wordsOf } from "../../figures/words";
import prose from "../../ui/Prose.module.css";
import styles from "./LinksPage.module.css";
import { LinksFile } from "./LinksFile";
import { OwnerPanel } from "./OwnerPanel";
import { forgetSecret, type KeptLink, keptLinks } from "./secrets";

/** Comparisons whose owner secrets this browser stores, with the owner's actions. */
export function LinksPage() {
  useTitle("My links");
  const queries = useQueryClient();
  const [links, setLinks] = useState(keptLinks);
  const catalog = useQuery(catalogQuery);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const forget = (slug: string) => {
    forgetSecret(slug);
    setLinks(keptLinks());
  };
  const imported = () => {
    // Comparisons fetched without the secret are the public version.
    void queries.invalidateQueries({ queryKey: ["comparison"] });
    setLinks(keptLinks());
  };
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>My links</h1>
        <p className={prose.lead}>
          Comparisons saved in this browser. Their owner secrets are stored only here. To manage the
          links in another browser, export them and import the file there.
        </p>
      </header>
      <LinksFile links={links} onImported={imported} />
      {links.length === 0 ? (
        <Notice
          title="No saved comparisons in this browser"
          actions={
            <Link to="/storage" search={{}}>
              Go to Storage
            </Link>
          }
        >
          <p>“Share” above a chart freezes it and puts its link here.</p>
        </Notice>
      ) : (
        <ul className={styles.links}>
          {links.map((link) => (
            <Row key={link.slug} link={link} words={words} onForget={() => forget(link.slug)} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface RowProps {
  link: KeptLink;
  words: Words | undefined;
  onForget: () => void;
}

function Row({ link: { slug, secret }, words, onForget }: RowProps) {
  const saved = useQuery(comparisonQuery(slug, secret));
  const failure = saved.error;
  if (failure) {
    const isGone = failure instanceof Problem && [404, 410].includes(failure.status);
    return (
      <li className={styles.link} role="alert">
        <h2>
          /c/<bdi>{slug}</bdi>
        </h2>
        <p className={styles.state}>{failure.message}</p>
        {isGone ? <Forget onForget={onForget} /> : null}
      </li>
    );
  }
  if (!saved.data || !words) return <li className={styles.link} style={{ minHeight: "8rem" }} />;
  const { state } = saved.data;
  const title = saved.data.title ?? saved.data.figure.title;
  return (
    <li className={styles.link}>
      <h2>
        <Link to="/c/$slug" params={{ slug }}>
          <bdi>{title}</bdi>
        </Link>
      </h2>
      <p className={styles.state}>
        <strong>{stateText(saved.data)}</strong> · Frozen on {day(saved.data.created_at)}, from{" "}
        {counted(saved.data.runs, "run")} · /c/{slug}
      </p>
      {state === "revoked" ? (
        <Forget onForget={onForget} />
      ) : (
        <>
          <p className={saved.data.changed ? styles.changed : styles.state}>
            {saved.data.changed ? (
              <>
                {saved.data.change?.text}{" "}
                <Link to="/c/$slug" params={{ slug }} search={{ both: ["1"] }}>
                  Show frozen and live
                </Link>
              </>
            ) : (
              "Live figures are the same."
            )}
          </p>
          <OwnerPanel saved={saved.data} secret={secret} name={title} />
        </>
      )}
    </li>
  );
}

function Forget({ onForget }: { onForget: () => void }) {
  return (
    <p>
      <Button asText onClick={onForget}>
        Remove from this list
      </Button>
    </p>
  );
}

function stateText({ state, expires_at }: Comparison): string {
  switch (state) {
    case "active":
      return expires_at ? `Live until ${day(expires_at)}` : "Live";
    case "paused":
      return "Paused: others can’t see it";
    case "revoked":
      return "Revoked";
    case "expired":
      return "Expired. Set a later date to reopen it.";
  }
}
