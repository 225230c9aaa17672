import { useQuery } from "@tanstack/react-query";
import { catalogQuery, chipsQuery } from "../../api/queries";
import { Footnotes } from "../../figures/Footnotes";
import { wordsOf } from "../../figures/words";
import { chipSources } from "./chipWords";
import styles from "./chips.module.css";
import { ChipsTable } from "./ChipsTable";

/** Facts from articles about one chip; empty if none mentions it. */
export function ChipFacts({ chip }: { chip: string }) {
  const chips = useQuery(chipsQuery);
  const catalog = useQuery(catalogQuery);
  const entries = chips.data?.chips.filter((entry) => entry.chip === chip) ?? [];
  if (!chips.data || !catalog.data || entries.length === 0) return null;
  const sources = chipSources({ ...chips.data, chips: entries, facts: [] }, undefined);
  return (
    <section className={styles.section}>
      <h2>Cores, memory and links</h2>
      <p className={styles.subtitle}>As published</p>
      <ChipsTable chips={entries} words={wordsOf(catalog.data)} sources={sources} />
      <Footnotes sources={sources} />
    </section>
  );
}
