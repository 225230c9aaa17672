import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { peopleQuery, removePerson, setRole } from "../../api/fleetSettings";
import { sessionQuery } from "../../api/session";
import { Section } from "../../ui/Section";
import { day } from "../../ui/format";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import { RoleChoice, roleWords } from "../../ui/RoleChoice";
import styles from "../../ui/Manage.module.css";

interface Props {
  fleet: string;
  isAdmin: boolean;
  onLeft: () => void;
}

export function People({ fleet, isAdmin, onLeft }: Props) {
  const queries = useQueryClient();
  const query = peopleQuery(fleet);
  const people = useQuery(query);
  const me = useQuery(sessionQuery).data?.person?.id;
  const changed = () => queries.invalidateQueries({ queryKey: ["fleets"] });
  const changing = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Parameters<typeof setRole>[2] }) =>
      setRole(fleet, id, to),
    onSettled: changed,
  });
  const removing = useMutation({
    mutationFn: (id: string) => removePerson(fleet, id),
    onSuccess: (_, id) => {
      if (id === me) onLeft();
    },
    onSettled: changed,
  });
  const isBusy = changing.isPending || removing.isPending;
  return (
    <Section id="people" title="People" error={people.error}>
      <p>
        Viewers see the Macs and their runs, all or only those with a label that admins gave. Admins
        also change things.
        {isAdmin ? (
          <>
            {" "}
            Invite others from <Link to="/you">your account page</Link>.
          </>
        ) : null}
      </p>

      <ul>
        {people.data?.items.map(({ id, name, email, role, where, since }) => (
          <li key={id} className={styles.row}>
            <div>
              <bdi>{name}</bdi>
              {id === me ? " (you)" : ""}
              <span className={styles.under}>
                {email ? `${email} · ` : ""}since {day(since)}
              </span>
            </div>
            <div className={styles.actions}>
              {isAdmin ? (
                <RoleChoice
                  label={`Role of ${name}`}
                  value={{ role, where }}
                  groups={people.data.groups}
                  disabled={isBusy}
                  onChange={(to) => changing.mutate({ id, to })}
                />
              ) : (
                <span className="quiet">{roleWords({ role, where })}</span>
              )}
              {isAdmin || id === me ? (
                <Confirmed
                  label={id === me ? "Leave" : "Remove"}
                  confirm={id === me ? "Leave this fleet" : "Remove from this fleet"}
                  about={id === me ? "this fleet" : name}
                  isBusy={isBusy}
                  onConfirm={() => removing.mutate(id)}
                />
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      <Failed error={changing.error ?? removing.error} />
    </Section>
  );
}
