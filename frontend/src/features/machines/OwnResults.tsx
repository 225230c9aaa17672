import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { percentileQuery, timelineQuery } from "../../api/machines";
import type { MachineDetail } from "../../api/types";
import { type Choice, choicesOf, firstOf } from "../../figures/choices";
import { Place } from "../../figures/PlacePanel";
import type { Words } from "../../figures/words";
import { printClause } from "../../links/clause";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";
import { LinePlot } from "./OverTime";
import { traitsOf } from "../../figures/similar";

interface Props {
  machine: MachineDetail;
  words: Words;
}

/** A Mac's main line over time, and its percentile among similar Macs, for one of its metrics. */
export function OwnResults({ machine, words }: Props) {
  const choices = useMemo(() => choicesOf(machine), [machine]);
  const [id, setId] = useState<string>();
  const chosen = choices.find((choice) => choice.id === id) ?? firstOf(choices);
  if (!chosen) return <p className={section.note}>All its results are doubted or withdrawn.</p>;
  return (
    <>
      {choices.length > 1 ? (
        <label className={section.choose}>
          Show
          <select
            className="field"
            value={chosen.id}
            onChange={(event) => setId(event.target.value)}
          >
            {choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <h3>{chosen.name}</h3>
      )}
      <Line machine={machine} chosen={chosen} words={words} />
    </>
  );
}

function Line({ machine, chosen, words }: Props & { chosen: Choice }) {
  const where = chosen.where.map(printClause);
  const timeline = useQuery({
    ...timelineQuery(machine.id, chosen.metric, where),
    placeholderData: keepPreviousData,
  });
  if (timeline.error) return <ProblemNotice error={timeline.error} />;
  if (!timeline.data) return <Skeleton height="20rem" lines={8} />;
  const line = timeline.data.lines[0];
  const told = timeline.data.words[0];
  if (!line || !told) return <p className={section.note}>All its results are doubted.</p>;
  const traits = traitsOf({ ...line.configuration, ...machine }, words);
  const like = traits.filter(({ dimension }) => words.has(dimension, "like")).map(printClause);
  return (
    <>
      <p className={section.note}>
        <bdi>{told.name}</bdi>
        {line.points.length > 1 ? ` · ${told.changed}` : " · a line needs a second run"}
      </p>
      {line.points.length > 1 ? <LinePlot shown={{ line, told }} words={words} /> : null}
      <Percentile machine={machine.id} metric={chosen.metric} where={[...where, ...like]} />
    </>
  );
}

interface PercentileProps {
  machine: string;
  metric: string;
  where: string[];
}

function Percentile({ machine, metric, where }: PercentileProps) {
  const found = useQuery({
    ...percentileQuery({ machine }, metric, where),
    placeholderData: keepPreviousData,
  });
  if (found.error) return <ProblemNotice error={found.error} />;
  if (!found.data) return <Skeleton height="8rem" lines={4} />;
  return <Place found={found.data} />;
}
