import { Link } from "@tanstack/react-router";
import type { Comparison } from "../../api/types";
import type { SearchLists } from "../../links/search";
import { CopyButton } from "../../ui/CopyButton";
import { CitePanel } from "./CitePanel";
import styles from "./ComparisonPage.module.css";

interface Props {
  saved: Comparison;
  /** Address of the live figures as a file, if they are shown. */
  liveFile: string | undefined;
  /** The page for changing the question. */
  to: string;
  search: SearchLists;
}

/** Link, downloads and citations of a saved comparison, and a link to explore it live. */
export function SavedActions({ saved, liveFile, to, search }: Props) {
  const frozenFile = `/api/v1/comparisons/${encodeURIComponent(saved.slug)}/answer.csv`;
  return (
    <>
      <div className={styles.actions}>
        <CopyButton text={new URL(saved.url, location.href).href}>Copy link</CopyButton>
        <a className="button" href={liveFile ?? frozenFile} download>
          Figures as CSV
        </a>
        <Link to={to} search={search} className="button">
          Explore live
        </Link>
      </div>
      {saved.fewest_machines ? (
        <p className={styles.note}>
          Explore live asks again with what the reader may see: members of the fleet see its Macs,
          everybody else public runs only.
        </p>
      ) : null}
      <CitePanel saved={saved} />
    </>
  );
}
