import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Choice, Combobox, containing, type Section } from "./Combobox";
import styles from "./Picker.module.css";
import { recents, remember } from "./recents";
import { isWritten } from "./isWritten";

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

const WIDTH = 384;
const MARGIN = 16;
const GAP = 4;

/** A button that shows the present choice and opens a searchable list of others. */
export function Picker(props: Props) {
  const { label, value, hotkey, onOpen } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    onOpen?.();
  };
  const opens = useRef(open);
  useEffect(() => {
    opens.current = open;
  });
  useEffect(() => {
    if (!hotkey) return;
    const press = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target } = event;
      const taken = metaKey || ctrlKey || altKey || isWritten(target);
      if (key !== hotkey || taken || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      // As a press of the button, to which focus then returns.
      button.current?.focus();
      opens.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hotkey]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
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
  useLayoutEffect(() => {
    const place = () => {
      const { left = 0, bottom = 0 } = under.current?.getBoundingClientRect() ?? {};
      const inside = Math.max(MARGIN, Math.min(left, innerWidth - WIDTH - MARGIN));
      dialog.current?.style.setProperty("--left", `${inside + scrollX}px`);
      dialog.current?.style.setProperty("--top", `${bottom + GAP + scrollY}px`);
    };
    place();
    dialog.current?.showModal();
    // What arrives meanwhile may move the button.
    const moved = new ResizeObserver(place);
    moved.observe(document.body);
    return () => moved.disconnect();
  }, [under]);
  const write = (next: string) => {
    setText(next);
    onText?.(next);
  };
  const known = new Map(sections.flatMap(({ choices }) => choices).map((one) => [one.id, one]));
  const again: Section = {
    title: "Recent",
    choices: recent.flatMap(({ id }) => known.get(id) ?? []).filter(({ current }) => !current),
  };
  const searched = text.trim() !== "";
  const shown = searched
    ? [
        ...sections.map((one) => ({ ...one, choices: containing(one.choices, text) })),
        ...(typed ? [typed] : []),
      ]
    : withoutRepeats([...sections.slice(0, before), again, ...sections.slice(before)]);
  return (
    <dialog
      ref={dialog}
      className={styles.picker}
      aria-label={label}
      closedby="any"
      onClose={() => {
        onText?.("");
        onClose();
      }}
    >
      <Combobox
        label={label}
        placeholder={placeholder}
        text={text}
        sections={shown}
        none={searched ? "Nothing found." : "Nothing to choose."}
        onText={write}
        onChoose={(choice: Choice) => {
          if (known.has(choice.id)) remember(label, choice);
          // Closing gives the focus back to the button.
          dialog.current?.close();
          onChoose(choice.id);
        }}
      />
    </dialog>
  );
}

/** Each choice once, where it comes first. */
function withoutRepeats(sections: readonly Section[]): Section[] {
  const seen = new Set<string>();
  return sections.map(({ choices, ...section }) => ({
    ...section,
    choices: choices.filter(({ id }) => !seen.has(id) && seen.add(id)),
  }));
}
