import { useState } from "react";
import styles from "./Shell.module.css";

type Choice = "auto" | "light" | "dark";
const STORED = "macmeter.appearance";

function current(): Choice {
  const set = document.documentElement.style.colorScheme;
  return set === "light" || set === "dark" ? set : "auto";
}

/** Choice of appearance; by default the system's. theme.js applies it before the first paint. */
export function Appearance() {
  const [choice, setChoice] = useState(current);
  const choose = (next: Choice) => {
    setChoice(next);
    document.documentElement.style.colorScheme = next === "auto" ? "" : next;
    try {
      if (next === "auto") localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, next);
    } catch {
      // Without storage, the choice applies only to this page.
    }
  };
  return (
    <label className={styles.appearance}>
      Appearance
      <select value={choice} onChange={(event) => choose(event.target.value as Choice)}>
        <option value="auto">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
