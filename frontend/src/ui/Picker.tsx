import { type RefObject, useRef, useState } from "react";
import { type Choice, Combobox, choicesWithWords, type Section } from "./Combobox";
import styles from "./Picker.module.css";
import { recents, remember } from "./recents";
import { useHotkey } from "./useHotkey";
import { Under } from "./Under";

interface Props {
  /** What is picked: "Metric". Recent choices are kept under it. */
  label: string;
  /** The present choice. */
  value: string;
  placeholder: string;
  /** All choices. Recent ones follow the first `before` sections. */
  sections: readonly Section[];
  before?: number;
  /** Further choices for what is typed, after those that contain it. */
  typed?: Section | undefined;
  /** The key that opens it from anywhere on the page. */
  hotkey?: string;
  onOpen?: () => void;
  onText?: (text: string) => void;
  onChoose: (id: string) => void;
}

/** A button that shows the present choice and opens a searchable list of others. */
export function Picker(props: Props) {
  const { label, value, hotkey, onOpen } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    onOpen?.();
  };
  useHotkey(hotkey, button, open);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button opens ${styles.button}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts={hotkey}
        onClick={open}
      >
        <span className={styles.label}>{label}</span> <bdi className={styles.value}>{value}</bdi>
      </button>
      {isOpen ? <Open {...props} under={button} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface OpenProps extends Props {
  /** The button that it opens under. */
  under: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Open({
  label,
  placeholder,
  sections,
  before = 0,
  typed,
  onText,
  onChoose,
  under,
  onClose,
}: OpenProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [recent] = useState(() => recents(label));
  const write = (next: string) => {
    setText(next);
    onText?.(next);
  };
  const byId = new Map(sections.flatMap(({ choices }) => choices).map((item) => [item.id, item]));
  const again: Section = {
    title: "Recent",
    choices: recent.flatMap(({ id }) => byId.get(id) ?? []).filter(({ current }) => !current),
  };
  const searched = text.trim() !== "";
  const visibleSections = searched
    ? [
        ...sections.map((section) => ({
          ...section,
          choices: choicesWithWords(section.choices, text),
        })),
        ...(typed ? [typed] : []),
      ]
    : withoutRepeats([...sections.slice(0, before), again, ...sections.slice(before)]);
  return (
    <Under
      ref={dialog}
      button={under}
      label={label}
      onClose={() => {
        onText?.("");
        onClose();
      }}
    >
      <div className={styles.picker}>
        <Combobox
          label={label}
          placeholder={placeholder}
          text={text}
          sections={visibleSections}
          emptyText={searched ? "Nothing found." : "Nothing to choose."}
          onText={write}
          onChoose={(choice: Choice) => {
            if (byId.has(choice.id)) remember(label, choice);
            // Closing gives the focus back to the button.
            dialog.current?.close();
            onChoose(choice.id);
          }}
        />
      </div>
    </Under>
  );
}

/** Each choice once, where it comes first. */
function withoutRepeats(sections: readonly Section[]): Section[] {
  const ids = new Set<string>();
  return sections.map(({ choices, ...section }) => ({
    ...section,
    choices: choices.filter(({ id }) => !ids.has(id) && ids.add(id)),
  }));
}
