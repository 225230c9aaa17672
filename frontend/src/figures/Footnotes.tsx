import type { CountedFlag } from "../api/types";
import { count, counted, day } from "../ui/format";
import type { FlagNotes } from "./flags";
import styles from "./Footnotes.module.css";
import type { Source, Sources } from "./sources";

interface DaggerProps {
  text: string;
  articles: string[];
  sources: Sources;
}

/** The mark of a published figure, leading to its article in the list of sources. */
export function Dagger({ text, articles, sources }: DaggerProps) {
  const first = articles.find((article) => sources.has(article));
  const source = first === undefined ? undefined : sources.get(first);
  return (
    <a
      className={styles.dagger}
      href={source ? `#${anchor(source)}` : undefined}
      title={source?.citation.title}
      aria-label={`Published, source ${text.slice(1) || "1"}`}
    >
      {text}
    </a>
  );
}

function anchor(source: Source): string {
  return `source-${source.number}`;
}

interface FlagProps {
  counts: CountedFlag[];
  notes: FlagNotes;
}

/** Letters of the flags behind a figure, in one link to the sentences under the table. */
export function FlagLetters({ counts, notes }: FlagProps) {
  if (counts.length === 0) return null;
  const sorted = counts
    .flatMap((flag) => notes.get(flag.code) ?? [])
    .toSorted((a, b) => a.letter.length - b.letter.length || a.letter.localeCompare(b.letter));
  const doubted = sorted.some((note) => note.severity === "doubt");
  return (
    <a
      href="#flags"
      className={`${styles.letters} ${doubted ? styles.doubt : ""}`}
      title={sorted.map((note) => note.sentence).join("; ")}
    >
      {sorted.map((note) => note.letter).join(" ")}
    </a>
  );
}

/** What the table's letters and daggers stand for. */
export function Footnotes({ notes, sources }: { notes: FlagNotes; sources: Sources }) {
  if (notes.size === 0 && sources.size === 0) return null;
  return (
    <div className={styles.footnotes}>
      {notes.size > 0 ? (
        <section id="flags" tabIndex={-1}>
          <h3>Flags</h3>
          <ul>
            {[...notes.values()].map((note) => (
              <li key={note.code}>
                <span className={note.severity === "doubt" ? styles.doubt : styles.mark}>
                  {note.letter}
                </span>
                <span>
                  {note.sentence} <span className="quiet">· {counted(note.runs, "run")}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {sources.size > 0 ? (
        <section>
          <h3>Sources of published figures</h3>
          <ul>
            {[...sources.values()].map((source) => (
              <li key={source.number} id={anchor(source)}>
                <span className={styles.mark}>†{sources.size > 1 ? source.number : ""}</span>
                <Cited source={source} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function Cited({ source: { citation, rows } }: { source: Source }) {
  return (
    <span>
      <bdi>{citation.author}</bdi>, “<bdi>{citation.title}</bdi>”, <bdi>{citation.publisher}</bdi>
      {citation.published ? `, ${day(citation.published)}` : ", undated"}
      {rows.length > 0 ? (
        <span className="quiet">
          {" "}
          · {rows.length === 1 ? "figure" : `${count(rows.length)} figures`} {rows.join(", ")}
        </span>
      ) : null}
    </span>
  );
}
