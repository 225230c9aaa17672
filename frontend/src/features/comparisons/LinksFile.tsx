import { type ChangeEvent, useId, useState } from "react";
import { counted } from "../../ui/format";
import styles from "./LinksPage.module.css";
import { type KeptLink, keepSecret, printLinks, readLinks, secretOf } from "./secrets";

interface Props {
  links: KeptLink[];
  onImported: () => void;
}

/** Export and import of secrets, to move links between browsers. */
export function LinksFile({ links, onImported }: Props) {
  const id = useId();
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      const read = readLinks(await file.text());
      const fresh = read.filter(({ slug }) => secretOf(slug) === undefined);
      for (const { slug, secret } of fresh) keepSecret(slug, secret);
      const knownCount = read.length - fresh.length;
      setOutcome({
        text: `${counted(fresh.length, "link")} added${knownCount > 0 ? `, ${knownCount} already here` : ""}.`,
        failed: false,
      });
      onImported();
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), failed: true });
    }
    // Allow choosing the same file twice.
    input.value = "";
  };
  return (
    <div className={styles.file}>
      {links.length > 0 ? (
        <a
          className="button"
          href={`data:application/json;charset=utf-8,${encodeURIComponent(printLinks(links))}`}
          download="macmeter-links.json"
        >
          Export {counted(links.length, "link")}
        </a>
      ) : null}
      <label htmlFor={id} className={styles.import}>
        Import
        <input
          id={id}
          type="file"
          accept="application/json,.json"
          onChange={(event) => void take(event)}
        />
      </label>
      <p role="status" className={outcome?.failed ? styles.failed : styles.state}>
        {outcome?.text}
      </p>
    </div>
  );
}
