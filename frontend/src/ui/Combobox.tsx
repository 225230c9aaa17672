import { type KeyboardEvent, useId, useState } from "react";
import styles from "./Combobox.module.css";

export interface Choice {
  id: string;
  text: string;
  /** Shown at its right, such as its kind. */
  note?: string;
  /** Whether it is the present choice. */
  current?: boolean;
}

export interface Section {
  title?: string;
  choices: Choice[];
}

interface Props {
  label: string;
  placeholder: string;
  text: string;
  sections: Section[];
  /** Shown instead of an empty list. */
  emptyText: string;
  onText: (text: string) => void;
  onChoose: (choice: Choice) => void;
}

/** A search field above its list of choices; the keyboard stays in the field. */
export function Combobox({
  label,
  placeholder,
  text,
  sections,
  emptyText,
  onText,
  onChoose,
}: Props) {
  const listId = useId();
  const [requestedIndex, setRequestedIndex] = useState(0);
  const filled = sections.filter(({ choices }) => choices.length > 0);
  const all = filled.flatMap(({ choices }) => choices);
  const active = Math.min(requestedIndex, all.length - 1);
  const offsets = filled.map((_, index) =>
    filled.slice(0, index).reduce((sum, { choices }) => sum + choices.length, 0),
  );
  const moveTo = (next: number) => {
    setRequestedIndex(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const handleKey = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, active, all.length);
    const choice = all[active];
    if (next !== undefined && choice) {
      event.preventDefault();
      moveTo(next);
    } else if (event.key === "Enter" && choice) {
      event.preventDefault();
      onChoose(choice);
    }
  };
  return (
    <>
      <input
        className={styles.field}
        role="combobox"
        aria-label={label}
        aria-expanded={all.length > 0}
        aria-controls={listId}
        aria-activedescendant={all.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setRequestedIndex(0);
        }}
        onKeyDown={handleKey}
      />
      {all.length > 0 ? (
        <div id={listId} role="listbox" aria-label="Found" className={styles.found}>
          {filled.map(({ title, choices }, section) => (
            <div key={title ?? ""} role="group" aria-label={title}>
              {title ? (
                <div className={styles.title} aria-hidden="true">
                  {title}
                </div>
              ) : null}
              {choices.map((choice, index) => {
                const number = (offsets[section] ?? 0) + index;
                return (
                  <div
                    key={choice.id + choice.text}
                    id={`${listId}-${number}`}
                    className={styles.choice}
                    role="option"
                    tabIndex={-1}
                    aria-selected={number === active}
                    aria-current={choice.current || undefined}
                    onPointerMove={() => setRequestedIndex(number)}
                    onClick={() => onChoose(choice)}
                    onKeyDown={handleKey}
                  >
                    <bdi>{choice.text}</bdi>
                    {choice.note ? <span>{choice.note}</span> : null}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      ) : (
        <p className={styles.none}>{emptyText}</p>
      )}
    </>
  );
}

/** Index of the choice that a key moves to; undefined for other keys. */
function nextIndex(key: string, current: number, count: number): number | undefined {
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (current - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** The choices whose text contains all words, in any order. */
export function choicesWithWords(choices: readonly Choice[], words: string): Choice[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word)));
}
