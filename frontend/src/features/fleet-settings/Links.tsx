import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { type FleetLink, linksQuery, takeIdsOut } from "../../api/fleetSettings";
import { Confirmed } from "../../ui/Confirmed";
import { Section } from "../../ui/Section";
import { counted, day } from "../../ui/format";
import { Failed } from "../../ui/Failed";
import styles from "../../ui/Manage.module.css";
import { linkInWords } from "./words";

/** Anyone's share links that contain the fleet's runs. */
export function Links({ fleet }: { fleet: string }) {
  const query = linksQuery(fleet);
  const links = useQuery(query);
  const taking = useChange((id: string) => takeIdsOut(fleet, id), query.queryKey);
  return (
    <Section id="links" title="Share links" error={links.error}>
      <p>
        Saved comparisons that use this fleet’s runs, whoever saved them. When the fleet stops being
        public, they hide its single Macs, and figures with fewer than 5 other Macs. Links that an
        admin shared from the private fleet show the same as before.
      </p>
      {links.data?.items.some(({ run_ids }) => run_ids > 0) ? (
        <p>Removing run ids keeps a link’s figures. It can’t be undone.</p>
      ) : null}

      {links.data?.items.length === 0 ? (
        <p className="quiet">No share link uses this fleet’s runs.</p>
      ) : null}
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
      {taking.isSuccess ? <p role="status">Run ids removed.</p> : null}
      <Failed error={taking.error} />
    </Section>
  );
}

function Title({ title, url }: FleetLink) {
  if (url === null) return <>Private link</>;
  return (
    <a href={url}>
      <bdi>{title ?? "Untitled comparison"}</bdi>
    </a>
  );
}
