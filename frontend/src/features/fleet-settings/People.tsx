import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FleetPerson, peopleQuery, removePerson, setRole } from "../../api/fleetSettings";
import { sessionQuery } from "../../api/session";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Confirmed } from "../../ui/Confirmed";
import { Failed } from "../../ui/Failed";
import styles from "./settings.module.css";

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
    mutationFn: ({ id, role }: Pick<FleetPerson, "id" | "role">) => setRole(fleet, id, role),
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
    <section className={styles.section} aria-labelledby="people">
      <h2 id="people">People</h2>
      <p>
        Viewers see the Macs and their runs. Admins also change things.
        {isAdmin ? (
          <>
            {" "}
            Invite others from <Link to="/you">your account page</Link>.
          </>
        ) : null}
      </p>
      {people.error ? <ProblemNotice error={people.error} /> : null}
      <ul>
        {people.data?.items.map(({ id, name, email, role, since }) => (
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
                <select
                  className="field"
                  aria-label={`Role of ${name}`}
                  value={role}
                  disabled={isBusy}
                  onChange={(event) =>
                    changing.mutate({ id, role: event.target.value as FleetPerson["role"] })
                  }
                >
                  <option value="viewer">Viewer</option>
                  <option value="admin">Admin</option>
                </select>
              ) : (
                <span className="quiet">{role === "admin" ? "Admin" : "Viewer"}</span>
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
    </section>
  );
}
