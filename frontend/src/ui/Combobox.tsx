import { type KeyboardEvent, useId, useState } from "react";
import styles from "./Combobox.module.css";

export interface Choice {
  id: string;
  text: string;
  /** At its right: its kind. */
  note?: string;
  /** Whether it is in force. */
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
  /** Shown without any choice. */
  none: string;
  onText: (text: string) => void;
  onChoose: (choice: Choice) => void;
}

/** A search field above its list of choices; the keyboard stays in the field. */
export function Combobox({ label, placeholder, text, sections, none, onText, onChoose }: Props) {
  const list = useId();
  const [at, setAt] = useState(0);
  const filled = sections.filter(({ choices }) => choices.length > 0);
  const all = filled.flatMap(({ choices }) => choices);
  const active = Math.min(at, all.length - 1);
  const firsts = filled.map((_, index) =>
    filled.slice(0, index).reduce((sum, { choices }) => sum + choices.length, 0),
  );
  const go = (next: number) => {
    setAt(next);
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const press = (event: KeyboardEvent) => {
    const next = nextOf(event.key, active, all.length);
    const choice = all[active];
    if (next !== undefined && choice) {
      event.preventDefault();
      go(next);
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
        aria-controls={list}
        aria-activedescendant={all.length > 0 ? `${list}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      {all.length > 0 ? (
        <div id={list} role="listbox" aria-label="Found" className={styles.found}>
          {filled.map(({ title, choices }, section) => (
            <div key={title ?? ""} role="group" aria-label={title}>
              {title ? (
                <div className={styles.title} aria-hidden="true">
                  {title}
                </div>
              ) : null}
              {choices.map((choice, index) => {
                const number = (firsts[section] ?? 0) + index;
                return (
                  <div
                    key={choice.id + choice.text}
                    id={`${list}-${number}`}
                    className={styles.choice}
                    role="option"
                    tabIndex={-1}
                    aria-selected={number === active}
                    aria-current={choice.current || undefined}
                    onPointerMove={() => setAt(number)}
                    onClick={() => onChoose(choice)}
                    onKeyDown={press}
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
        <p className={styles.none}>{none}</p>
      )}
    </>
  );
}

/** Where a key leads from this choice of so many. */
function nextOf(key: string, from: number, many: number): number | undefined {
  if (key === "ArrowDown") return (from + 1) % many;
  if (key === "ArrowUp") return (from - 1 + many) % many;
  if (key === "Home") return 0;
  return key === "End" ? many - 1 : undefined;
}

/** The choices whose text contains all words, in any order. */
export function containing(choices: readonly Choice[], words: string): Choice[] {
  const each = words.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ text }) => each.every((word) => text.toLowerCase().includes(word)));
}
