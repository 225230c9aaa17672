import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { sessionQuery } from "../../api/session";
import { fleetAt, fleetOf, fleetPageOf, inFleet } from "../../links/fleet";
import type { SearchLists } from "../../links/search";

/** Pages whose questions take filters; the switch leads from any other to a fleet's machines. */
const FILTERED = [
  "/storage",
  "/threads",
  "/cores",
  "/power",
  "/power/residency",
  "/workloads",
  "/machines",
  "/runs",
  "/compare",
] as const;

/** The right of the header: whose figures are shown, and the account. */
export default function HeaderAccount() {
  const { data: session } = useQuery(sessionQuery);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (!session) return null;
  if (!session.person) {
    return ["/sign-in", "/invitations", "/claim"].includes(path) ? null : (
      <Link to="/sign-in" search={path === "/" ? {} : { to: [path] }}>
        Sign in
      </Link>
    );
  }
  return (
    <>
      {session.fleets.length > 0 ? <ScopeSwitch fleets={session.fleets} /> : null}
      <Link to="/you" title={session.person.name}>
        {session.person.name}
      </Link>
    </>
  );
}

/**
 * A switch between public figures and those of the reader's fleets, on the same page; between
 * fleets' own pages where it shows one.
 */
function ScopeSwitch({ fleets }: { fleets: { id: string; name: string }[] }) {
  const location = useRouterState({ select: (state) => state.location });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const search = location.search as SearchLists;
  const current = fleetAt(location);
  const choose = (name: string) => {
    const to = FILTERED.find((path) => path === location.pathname) ?? "/machines";
    // A comparison whose sides name a fleet is about that fleet alone.
    const filters = to === location.pathname && fleetOf(search) === current ? search : {};
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void navigate(
      name && fleetPageOf(location.pathname) !== undefined
        ? { to: "/fleets/$name", params: { name } }
        : { to, search: inFleet(filters, name) },
    );
  };
  return (
    <label>
      <span className="visually-hidden">Show figures of</span>
      <select value={current ?? ""} onChange={(event) => choose(event.target.value)}>
        <option value="">Public</option>
        {fleets.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
        {current !== undefined && !fleets.some(({ name }) => name === current) ? (
          <option value={current}>{current}</option>
        ) : null}
      </select>
    </label>
  );
}
