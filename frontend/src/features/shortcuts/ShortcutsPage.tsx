import { Fragment } from "react";
import prose from "../../ui/Prose.module.css";
import { useTitle } from "../../ui/useTitle";
import styles from "./ShortcutsPage.module.css";

const SHORTCUTS = [
  {
    title: "Everywhere",
    keys: [
      [["/"], "Search pages, views, chips, models, Macs and articles"],
      [["⌘ K", "Ctrl K"], "The same, also while you type in a field"],
      [["m"], "Choose the metric of a chart page"],
      [["g"], "Choose what its figures are grouped by"],
      [["f"], "Open the filters"],
      [["?"], "This page"],
      [["Esc"], "Close what is open"],
    ],
  },
  {
    title: "In a chart",
    keys: [
      [["Tab"], "Focus the chart; again to leave"],
      [["←", "→", "↑", "↓"], "Go from mark to mark, each with its figures"],
      [["Return"], "Show the runs behind the mark"],
    ],
  },
  {
    title: "In the search and lists of choices",
    keys: [
      [["↑", "↓"], "Next or previous choice"],
      [["Home", "End"], "First or last choice"],
      [["Return"], "Open"],
    ],
  },
] as const;

/** The keyboard shortcuts; the question mark key opens this page. */
export function ShortcutsPage() {
  useTitle("Keyboard shortcuts");
  return (
    <article className={styles.page}>
      <header className={prose.head}>
        <h1>Keyboard shortcuts</h1>
      </header>
      {SHORTCUTS.map(({ title, keys }) => (
        <section key={title} className={prose.section}>
          <h2>{title}</h2>
          <dl className={styles.keys}>
            {keys.map(([names, does]) => (
              <div key={does}>
                <dt>
                  {names.map((name, index) => (
                    <Fragment key={name}>
                      {index > 0 ? " or " : ""}
                      <kbd>{name}</kbd>
                    </Fragment>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </article>
  );
}
