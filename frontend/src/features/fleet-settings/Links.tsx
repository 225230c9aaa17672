import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FleetLink, linksQuery, takeIdsOut } from "../../api/fleetSettings";
import { Confirmed } from "../../ui/Confirmed";
import { counted, day } from "../../ui/format";
import { Failed } from "../../ui/Failed";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./settings.module.css";
import { linkInWords } from "./words";

/** Share links with the fleet's runs in them, whoever made them. */
export function Links({ fleet }: { fleet: string }) {
  const queries = useQueryClient();
  const query = linksQuery(fleet);
  const links = useQuery(query);
  const taking = useMutation({
    mutationFn: (id: string) => takeIdsOut(fleet, id),
    onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  return (
    <section className={styles.section} aria-labelledby="links">
      <h2 id="links">Share links</h2>
      <p>
        Links made while the fleet was public keep their figures of several Macs. If the fleet is no
        longer public, single Macs are hidden, and so are figures with fewer than 5 other Macs.
      </p>
      {links.error ? <ProblemNotice error={links.error} /> : null}
      {links.data?.items.length === 0 ? <p className="quiet">No link uses its runs.</p> : null}
      <ul>
        {links.data?.items.map((link) => (
          <li key={link.id} className={styles.row}>
            <div>
              <Title {...link} />
              <span className={styles.under}>{linkInWords(link)}</span>
            </div>
            <div className={styles.actions}>
              {link.run_ids > 0 ? (
                <Confirmed
                  label="Remove run ids"
                  confirm={`Remove the ids of ${counted(link.run_ids, "run")}`}
                  about={link.title ?? day(link.created_at)}
                  isBusy={taking.isPending}
                  onConfirm={() => taking.mutate(link.id)}
                />
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      <Failed error={taking.error} />
    </section>
  );
}

function Title({ title, url }: FleetLink) {
  if (url === null) return <>Private link of somebody else</>;
  return (
    <a href={url}>
      <bdi>{title ?? "Untitled comparison"}</bdi>
    </a>
  );
}
