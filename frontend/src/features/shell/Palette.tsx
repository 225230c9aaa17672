import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { machinesQuery } from "../../api/machines";
import { catalogQuery, sourcesQuery } from "../../api/queries";
import { thingsQuery } from "../../api/things";
import type { Topics } from "../../questions/view";
import styles from "./Palette.module.css";
import { articlesOf, macsOf, matching, pagesAndViews, type Place, thingsOf } from "./places";
import { recents, remember } from "./recents";

interface Props {
  topics: Topics;
  onClose: () => void;
}

/** Fewer letters would match half of all Macs. */
const FEWEST = 2;

/** One search field for every page, view, chip, model, Mac and article. */
export default function Palette({ topics, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const router = useRouter();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const wanted = useDeferredValue(text.trim());
  const catalog = useQuery(catalogQuery);
  const chips = useQuery(thingsQuery("chips"));
  const models = useQuery(thingsQuery("models"));
  const sources = useQuery(sourcesQuery);
  const macs = useQuery({
    ...machinesQuery([], wanted, undefined),
    enabled: wanted.length >= FEWEST,
  });
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const known = [
    ...pagesAndViews(topics, catalog.data),
    ...thingsOf("chips", chips.data),
    ...thingsOf("models", models.data),
    ...articlesOf(sources.data),
  ];
  const found =
    wanted === "" ? recents() : [...matching(known, wanted), ...macsOf(macs.data).slice(0, 6)];
  const open = (place: Place) => {
    remember(place);
    onClose();
    router.history.push(place.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const place = found[chosen];
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + found.length) % found.length);
    } else if (event.key === "Enter" && place) {
      event.preventDefault();
      open(place);
    }
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Search"
      closedby="any"
      onClose={onClose}
    >
      <input
        className={styles.field}
        role="combobox"
        aria-label="Search pages, views, chips, models, Macs and articles"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
        aria-autocomplete="list"
        placeholder="Page, view, chip, model, Mac or article"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      {found.length > 0 ? (
        <div id={list} role="listbox" aria-label="Found" className={styles.found}>
          {found.map((place, number) => (
            <div
              key={place.href + place.title}
              id={`${list}-${number}`}
              role="option"
              tabIndex={-1}
              aria-selected={number === chosen}
              onPointerMove={() => setChosen(number)}
              onPointerDown={(event) => {
                event.preventDefault();
                open(place);
              }}
            >
              <bdi>{place.title}</bdi>
              <span>{place.kind}</span>
            </div>
          ))}
        </div>
      ) : (
        <p className={styles.none}>
          {wanted === "" ? "Type to search. Recent finds appear here." : "Nothing found."}
        </p>
      )}
    </dialog>
  );
}
