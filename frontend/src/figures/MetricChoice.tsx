import { Picker } from "../ui/Picker";
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
  // By suite, as metrics are everywhere.
  const bySuite = Map.groupBy(choices, ({ metric }) =>
    words.value("suite", words.metric(metric)?.suite ?? ""),
  );
  const sections = [...bySuite].map(([title, sectionChoices]) => ({
    title,
    choices: sectionChoices.map(({ id, name }) => ({ id, text: name, current: id === chosen.id })),
  }));
  return (
    <div>
      <Picker
        label="Metric"
        value={chosen.name}
        placeholder="Find a metric"
        sections={sections}
        onChoose={onChoose}
      />
    </div>
  );
}
