import { Link } from "@tanstack/react-router";
import type { Headline } from "../api/types";
import { parseSearch } from "../links/search";
import section from "../ui/Section.module.css";
import styles from "./Headlines.module.css";
import { Strip } from "./Strip";

/** Headline figures of a chip or model, each on a strip of others' figures. */
export function Headlines({ headlines }: { headlines: Headline[] }) {
  if (headlines.length === 0) return null;
  return (
    <section className={section.section} aria-label="Headline figures">
      <ul className={styles.headlines}>
        {headlines.map((headline) => (
          <li key={headline.title} className={styles.headline}>
            <h2>
              <Title headline={headline} />
            </h2>
            <p className={styles.value}>
              <strong>{headline.value}</strong>
              <span>{headline.rank}</span>
            </p>
            {headline.others.length > 0 ? <Strip strip={headline} /> : null}
            <p className={styles.behind}>
              {[headline.behind, headline.interval].filter(Boolean).join(" · ")}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Title({ headline: { title, page, canonical } }: { headline: Headline }) {
  if (!page) return title;
  return (
    <Link to={page} search={parseSearch(canonical)}>
      {title}
    </Link>
  );
}
