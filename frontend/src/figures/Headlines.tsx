import { Link } from "@tanstack/react-router";
import type { Headline } from "../api/types";
import { parseSearch } from "../links/search";
import section from "../ui/Section.module.css";
import styles from "./Headlines.module.css";

interface Props {
  headlines: Headline[];
  /**
   * Whether a figure links to all of its kind, as for a chip or model; a Mac's details are on its
   * own page.
   */
  linked: boolean;
}

/** Headline figures of a chip, model or Mac, each on a strip of others' figures. */
export function Headlines({ headlines, linked }: Props) {
  if (headlines.length === 0) return null;
  return (
    <section className={section.section} aria-label="Headline figures">
      <ul className={styles.headlines}>
        {headlines.map((headline) => (
          <li key={headline.title} className={styles.headline}>
            <h2>
              <Title headline={headline} linked={linked} />
            </h2>
            <p className={styles.value}>
              <strong>{headline.value}</strong>
              <span>{headline.rank}</span>
            </p>
            <Strip headline={headline} />
            <p className={styles.behind}>
              {[headline.behind, headline.interval].filter(Boolean).join(" · ")}
            </p>
            {headline.changed ? <p className={styles.behind}>{headline.changed}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Title({
  headline: { title, page, canonical },
  linked,
}: Pick<Props, "linked"> & { headline: Headline }) {
  if (!linked || !page) return title;
  return (
    <Link to={page} search={parseSearch(canonical)}>
      {title}
    </Link>
  );
}

/** Names by position; those at one position share a mark. */
function namesAt(others: Headline["others"]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { at, text } of others) found.set(at, [...(found.get(at) ?? []), text]);
  return found;
}

const HEIGHT = 22;
/** Leave room for half a mark at both ends. */
const place = (at: number) => `${2 + 96 * at}%`;

function Strip({ headline }: { headline: Headline }) {
  const { others, at, low, high, value } = headline;
  if (others.length === 0) return null;
  return (
    <div className={styles.strip}>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={`${value} on a strip of ${others.length + 1} figures from ${low} to ${high}`}
      >
        <line x1={place(0)} x2={place(1)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {[...namesAt(others)].map(([x, texts]) => (
          <circle key={x} cx={place(x)} cy={HEIGHT / 2} r={4}>
            <title>{texts.join("; ")}</title>
          </circle>
        ))}
        <circle className={styles.own} cx={place(at)} cy={HEIGHT / 2} r={6}>
          <title>{value}</title>
        </circle>
      </svg>
      <p aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </p>
    </div>
  );
}
