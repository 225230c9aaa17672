import { Link } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import type { Answer } from "../../api/types";
import { FEWEST_SIDES, MOST_SIDES, sidesSearch } from "../../links/sides";
import { Button } from "../../ui/Button";
import panel from "../../ui/Panel.module.css";
import styles from "./Compare.module.css";
import { choicesOf, sidesOf } from "../../figures/sides/sideWords";

interface Props {
  answer: Answer;
}

/** Panel that starts a comparison from the rows of a figure. */
export function ComparePanel({ answer }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const choices = useMemo(() => choicesOf(answer.figure), [answer.figure]);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  if (choices.length < FEWEST_SIDES) return null;
  // In the order picked: the first is the baseline.
  const chosen = [...picked].flatMap((key) => choices.find((choice) => choice.id === key) ?? []);
  const toggle = (key: string) => {
    const next = new Set(picked);
    if (!next.delete(key)) next.add(key);
    setPicked(next);
  };
  return (
    <>
      <Button asText aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Compare rows
      </Button>
      <section id={id} hidden={!open} className={panel.panel} aria-label="Compare rows">
        <fieldset className={styles.panel}>
          <legend>Choose two to {MOST_SIDES} rows. The first one is the baseline.</legend>
          <ul>
            {choices.map((choice) => (
              <li key={choice.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={picked.has(choice.id)}
                    disabled={!picked.has(choice.id) && picked.size >= MOST_SIDES}
                    onChange={() => toggle(choice.id)}
                  />
                  <bdi>{choice.name}</bdi>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        {chosen.length < FEWEST_SIDES ? (
          <p className="quiet">Choose {chosen.length === 0 ? "two rows" : "one more"}.</p>
        ) : (
          <Link
            to="/compare"
            search={sidesSearch(sidesOf(answer, chosen))}
            className="button chief"
          >
            Compare these {chosen.length}
          </Link>
        )}
      </section>
    </>
  );
}
