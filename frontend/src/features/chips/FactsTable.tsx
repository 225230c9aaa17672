import type { ChipFact, CitedArticle } from "../../api/types";
import { Dagger } from "../../figures/Footnotes";
import { DataTable, Heads } from "../../ui/DataTable";
import styles from "./chips.module.css";

/** Frequencies, as printed, that articles state for a family without naming a chip. */
export function FactsTable({ facts, sources }: { facts: ChipFact[]; sources: CitedArticle[] }) {
  return (
    <DataTable
      name="Frequencies stated for whole families"
      className={`${styles.table} ${styles.lines}`}
    >
      <Heads
        titles={[
          "Family",
          "Tier",
          "Statement",
          "Active cores",
          { number: "As printed" },
          { hidden: "Source" },
          "Caution",
        ]}
      />
      <tbody>
        {facts.map((fact) => {
          const source = sources.find(({ article }) => article === fact.article);
          return (
            <tr key={fact.row} id={`figure-${fact.row}`}>
              <th scope="row">{fact.family}</th>
              <td>{fact.tier ?? <span className="quiet">–</span>}</td>
              <td>{fact.what}</td>
              <td>{fact.active_cores ?? <span className="quiet">–</span>}</td>
              <td className="number chief">
                {fact.qualifier ? <span className="quiet">{fact.qualifier} </span> : null}
                {fact.printed}
              </td>
              <td className={styles.cited}>
                {source ? (
                  <Dagger
                    lane={{ dagger: source.dagger, articles: [source.article] }}
                    sources={sources}
                  />
                ) : null}
              </td>
              <td className={styles.caution}>{fact.caution}</td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
