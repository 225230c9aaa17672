import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { citationQuery, embedQuery } from "../../api/comparisons";
import type { Comparison } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import about from "../../figures/About.module.css";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./CitePanel.module.css";

/** Citations, embed code and pictures of the comparison. */
export function CitePanel({ saved }: { saved: Comparison }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={about.about} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Cite or embed</summary>
      {open ? <Texts saved={saved} /> : null}
    </details>
  );
}

function Texts({ saved: { slug, url, state } }: { saved: Comparison }) {
  const markdown = useQuery(citationQuery(slug, "markdown"));
  const bibtex = useQuery(citationQuery(slug, "bibtex"));
  const embed = useQuery(embedQuery(new URL(url, location.href).href));
  const failure = markdown.error ?? bibtex.error ?? embed.error;
  if (state !== "active") {
    return <p className={styles.texts}>Only an open comparison can be cited or embedded.</p>;
  }
  if (failure) return <ProblemNotice error={failure} />;
  const picture = `/api/v1/comparisons/${encodeURIComponent(slug)}/chart`;
  return (
    <div className={styles.texts}>
      <Text name="Markdown" text={markdown.data} />
      <Text name="BibTeX" text={bibtex.data} />
      <Text name="Embed code" text={embed.data?.html} />
      <p className={styles.pictures}>
        The frozen chart as a picture:{" "}
        <a href={`${picture}.png?width=1200`} download={`macmeter-${slug}.png`}>
          PNG
        </a>{" "}
        <a href={`${picture}.svg`} download={`macmeter-${slug}.svg`}>
          SVG
        </a>
      </p>
    </div>
  );
}

function Text({ name, text }: { name: string; text: string | undefined }) {
  return (
    <section className={styles.text} aria-label={name}>
      <h3>{name}</h3>
      <pre>{text ?? "\u2007"}</pre>
      <CopyButton text={text ?? ""}>{`Copy ${name}`}</CopyButton>
    </section>
  );
}
