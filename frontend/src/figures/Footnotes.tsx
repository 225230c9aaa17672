import { Link } from "@tanstack/react-router";
import type { CitedArticle, FlagNote, Lane } from "../api/types";
import { counted } from "../ui/format";
import styles from "./Footnotes.module.css";

interface DaggerProps {
  lane: Pick<Lane, "dagger" | "articles">;
  sources: readonly CitedArticle[];
}

/** The mark of a published figure, linked to its article in the list of sources. */
export function Dagger({ lane: { dagger = "", articles }, sources }: DaggerProps) {
  const source = sources.find(({ article }) => articles?.includes(article));
  return (
    <a
      className={styles.dagger}
      href={source ? `#${anchor(source)}` : undefined}
      title={source?.title}
      aria-label={`Published, source ${dagger.slice(1) || "1"}`}
    >
      {dagger}
    </a>
  );
}

function anchor({ dagger }: CitedArticle): string {
  return `source-${dagger.slice(1) || "1"}`;
}

interface FlagProps {
  lane: Pick<Lane, "flags" | "alarming">;
  notes: readonly FlagNote[];
}

/** Letters of a figure's flags, as one link to the sentences under the table. */
export function FlagLetters({ lane: { flags, alarming }, notes }: FlagProps) {
  const matchingNotes = notes.filter(({ letter }) => flags?.includes(letter));
  return (
    <a
      href="#flags"
      className={`${styles.letters} ${alarming ? styles.doubt : ""}`}
      title={matchingNotes.map(({ sentence }) => sentence).join("; ")}
    >
      {flags?.join(" ")}
    </a>
  );
}

interface Props {
  flags?: readonly FlagNote[];
  sources?: readonly CitedArticle[];
}

/** Explanations of the table's letters and daggers. */
export function Footnotes({ flags, sources }: Props) {
  if (!flags?.length && !sources?.length) return null;
  return (
    <div className={styles.footnotes}>
      {flags?.length ? (
        <section id="flags" tabIndex={-1}>
          <h3>Flags</h3>
          <ul>
            {flags.map((note) => (
              <li key={note.code}>
                <span className={note.doubt ? styles.doubt : styles.mark}>{note.letter}</span>
                <span>
                  {note.sentence} <span className="quiet">· {counted(note.runs, "run")}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {sources?.length ? (
        <section>
          <h3>Sources of published figures</h3>
          <ul>
            {sources.map((source) => (
              <li key={source.article} id={anchor(source)}>
                <span className={styles.mark}>{source.dagger}</span>
                <Cited source={source} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

/** Link to the article among the published figures, which link to its publisher. */
function Cited({ source: { article, text, rows } }: { source: CitedArticle }) {
  return (
    <span>
      <Link to="/about" hash={article} className={styles.cited}>
        <bdi>{text}</bdi>
      </Link>
      {rows?.length ? (
        <span className="quiet" title={rows.join(", ")}>
          {" "}
          · {counted(rows.length, "figure")}
        </span>
      ) : null}
    </span>
  );
}
