import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { machinesQuery } from "../../api/machines";
import { catalogQuery, sourcesQuery } from "../../api/queries";
import { sessionQuery } from "../../api/session";
import { thingsQuery } from "../../api/things";
import { printClause } from "../../links/clause";
import type { Topics } from "../../questions/view";
import { type Choice, Combobox } from "../../ui/Combobox";
import { recents, remember } from "../../ui/recents";
import styles from "./Palette.module.css";
import { articlesOf, macsOf, matching, pagesAndViews, thingsOf } from "./places";

interface Props {
  topics: Topics;
  onClose: () => void;
}

const RECENT = "search";
/** Fewer letters would match half of all Macs. */
const FEWEST = 2;
/** A server's admin may have any number of fleets, and a question only so many filters. */
const MOST_FLEETS = 20;

/** One search field for every page, view, chip, model, Mac and article. */
export default function Palette({ topics, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const [text, setText] = useState("");
  const query = useDeferredValue(text.trim());
  const catalog = useQuery(catalogQuery);
  const chips = useQuery(thingsQuery("chips"));
  const models = useQuery(thingsQuery("models"));
  const sources = useQuery(sourcesQuery);
  const enabled = query.length >= FEWEST;
  const macs = useQuery({ ...machinesQuery([], query, undefined), enabled });
  // Public Macs come without private ones, so those are another question.
  const fleets = (useQuery(sessionQuery).data?.fleets ?? [])
    .filter(({ visibility }) => visibility !== "public")
    .slice(0, MOST_FLEETS)
    .map(({ name }) => printClause({ dimension: "fleet", op: "is", value: name }));
  const ownMachines = useQuery({
    ...machinesQuery(fleets, query, undefined),
    enabled: enabled && fleets.length > 0,
  });
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // A result that arrived above the first one would be opened by an Enter meant for that.
  const isLoading = [catalog, chips, models, sources].some(isFirstTry);
  const readingMacs = isLoading || [ownMachines, macs].some(isFirstTry);
  const places = [
    ...pagesAndViews(topics, catalog.data),
    ...thingsOf("chips", chips.data),
    ...thingsOf("models", models.data),
    ...articlesOf(sources.data),
  ];
  const matches: Choice[] =
    query === ""
      ? // Storage may hold anything: only own paths are opened.
        recents(RECENT).filter(({ id }) => id.startsWith("/"))
      : [
          ...(isLoading ? [] : matching(places, query)),
          ...[ownMachines, macs].flatMap(({ data }) =>
            macsOf(enabled && !readingMacs ? data : undefined).slice(0, 6),
          ),
        ].map(({ href, title, kind }) => ({ id: href, text: title, note: kind }));
  const open = (choice: Choice) => {
    remember(RECENT, choice);
    onClose();
    router.history.push(choice.id);
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Search"
      closedby="any"
      onClose={onClose}
    >
      <Combobox
        label="Search pages, views, chips, models, Macs and articles"
        placeholder="Page, view, chip, model, Mac or article"
        text={text}
        sections={[{ choices: matches }]}
        emptyText={
          query === ""
            ? "Type to search. Recent searches appear here."
            : readingMacs
              ? "Searching…"
              : "Nothing found."
        }
        onText={setText}
        onChoose={open}
      />
    </dialog>
  );
}

/** Whether a list is on its way; one that failed is retried behind the others' results. */
function isFirstTry({ isLoading, failureCount }: { isLoading: boolean; failureCount: number }) {
  return isLoading && failureCount === 0;
}
