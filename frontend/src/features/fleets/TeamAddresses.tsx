import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/useChange";
import { addAddress, addressesQuery, deleteAddress } from "../../api/alertAddresses";
import { Button } from "../../ui/Button";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { AddForm } from "./AddForm";
import { groupWords } from "./asked";
import styles from "./Fleet.module.css";

/** Addresses of the fleet, not of one member, each confirmed by whoever reads it. */
export function TeamAddresses({ fleet, where }: { fleet: string; where: string }) {
  const query = addressesQuery(fleet);
  const addresses = useQuery(query);
  const add = useChange((email: string) => addAddress(fleet, email, where), query.queryKey);
  const ask = useChange(
    (address: { email: string; where: string }) => addAddress(fleet, address.email, address.where),
    query.queryKey,
  );
  const remove = useChange((id: string) => deleteAddress(fleet, id), query.queryKey);
  const response = ask.data ?? add.data;
  const failure = addresses.error ?? add.error ?? ask.error ?? remove.error;
  return (
    <section className={section.section}>
      <h3>Mail to your team</h3>
      <p className={section.note}>
        Alerts go to a team’s address at once, after somebody has opened the link in a first mail.
      </p>
      <ul className={styles.lines}>
        {addresses.data?.items.map(({ id, email, where: of, created_at, confirmed_at }) => (
          <li key={id}>
            <bdi>{email}</bdi> <OfGroup where={of} />{" "}
            <span className={styles.when}>
              {confirmed_at
                ? `confirmed on ${day(confirmed_at)}`
                : `not confirmed yet; asked on ${day(created_at)}`}
            </span>
            <div className={styles.acts}>
              {confirmed_at ? null : (
                <Button disabled={ask.isPending} onClick={() => ask.mutate({ email, where: of })}>
                  Ask again
                </Button>
              )}
              <Button disabled={remove.isPending} onClick={() => remove.mutate(id)}>
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <AddForm
        label="Address of your team"
        type="email"
        maxLength={254}
        placeholder="it@example.org"
        isPending={add.isPending}
        onAdd={add.mutate}
      />
      {response ? (
        <p role="status">{response.mail_problem ?? `A mail asks ${response.email} to confirm.`}</p>
      ) : null}
      {failure ? <ProblemNotice error={failure} /> : null}
    </section>
  );
}

/** Says which group's alerts an address gets, unless it gets all. */
export function OfGroup({ where }: { where: string }) {
  return where ? (
    <span className={styles.when}>
      for <bdi>{groupWords(where)}</bdi>
    </span>
  ) : null;
}
