import { useQuery } from "@tanstack/react-query";
import { thingsQuery } from "../../api/things";
import type { Hardware } from "../../api/types";
import { ProblemNotice } from "../../ui/ProblemNotice";
import page from "../../ui/Page.module.css";
import record from "../../ui/Record.module.css";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { HardwareList } from "./HardwarePage";
import styles from "./hardware.module.css";

/** Every model with results, with its chips. */
export function ModelsPage() {
  useTitle("Models");
  const models = useQuery(thingsQuery("models"));
  return (
    <article className={record.page}>
      <div className={page.head}>
        <h1>Models</h1>
      </div>
      {models.error ? (
        <ProblemNotice error={models.error} onRetry={() => void models.refetch()} />
      ) : !models.data ? (
        <Skeleton height="40rem" lines={20} />
      ) : models.data.items.length === 0 ? (
        <p>No Mac has been measured yet.</p>
      ) : (
        <div className={styles.families}>
          {[...byModel(models.data.items)].map(([model, things]) => (
            <section key={model} className={section.section}>
              <h2>
                <bdi>{model}</bdi>
              </h2>
              <HardwareList kind="models" things={things} />
            </section>
          ))}
        </div>
      )}
    </article>
  );
}

/** Group by model name, whatever the chip. */
function byModel(things: Hardware[]): Map<string, Hardware[]> {
  const byName = new Map<string, Hardware[]>();
  for (const thing of things) {
    const model = thing.where.find((text) => text.startsWith("model:"))?.slice(6) ?? "";
    byName.set(model, [...(byName.get(model) ?? []), thing]);
  }
  return byName;
}
