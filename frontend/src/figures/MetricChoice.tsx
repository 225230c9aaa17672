import section from "../ui/Section.module.css";
import type { Choice } from "./choices";
import type { Words } from "./words";

interface Props {
  choices: Choice[];
  chosen: Choice;
  onChoose: (id: string) => void;
  words: Words;
}

/** The choice of one figure of a Mac or a run; nothing if there is one only. */
export function MetricChoice({ choices, chosen, onChoose, words }: Props) {
  if (choices.length < 2) return null;
  return (
    <label className={section.choose}>
      Metric
      <select
        className="field"
        value={chosen.id}
        onChange={(event) => onChoose(event.target.value)}
      >
        {[...bySuite(choices, words)].map(([suite, own]) => (
          <optgroup key={suite} label={suite}>
            {own.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** Choices grouped by suite, as metrics are everywhere. */
function bySuite(choices: Choice[], words: Words): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of choices) {
    const suite = words.value("suite", words.metric(choice.metric)?.suite ?? "");
    found.set(suite, [...(found.get(suite) ?? []), choice]);
  }
  return found;
}
