import { getRouteApi, Link } from "@tanstack/react-router";
import { MachinesPage } from "../features/machines/MachinesPage";
import { parseQuestion } from "../links/question";
import { useTitle } from "../ui/useTitle";
import { Asked } from "./Asked";

const route = getRouteApi("/machines");

export function MachinesRoute() {
  useTitle("Macs");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const instead = (
    <Link to="/machines" search={{}}>
      Show all Macs
    </Link>
  );
  return (
    <Asked read={() => parseQuestion(search)} instead={instead}>
      {(question) => (
        <MachinesPage
          question={question}
          search={search.q?.[0] ?? ""}
          cursor={search.cursor?.[0]}
          onAsk={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </Asked>
  );
}
