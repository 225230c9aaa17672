import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { answerQuery, catalogQuery, startingPointQuery } from "../../api/queries";
import type { Headline, Hardware } from "../../api/types";
import { AnswerView } from "../../figures/AnswerView";
import { wordsOf } from "../../figures/words";
import { parseClause } from "../../links/clause";
import { type Question, readQuestion, toSearch } from "../../links/question";
import { started } from "../../questions/view";
import { Picker } from "../../ui/Picker";
import { ProblemNotice } from "../../ui/ProblemNotice";
import section from "../../ui/Section.module.css";
import { Skeleton } from "../../ui/Skeleton";

interface Props {
  thing: Hardware;
  headlines: Headline[];
}

/** One headline figure by month, with the values fixed that the months would otherwise mix. */
export default function HardwareOverTime({ thing, headlines }: Props) {
  const [chosen, setChosen] = useState<string>();
  const heading = useId();
  // Published figures have no month of measurement.
  const measured = headlines.filter(({ published }) => !published);
  const headline = measured.find(({ title }) => title === chosen) ?? measured[0];
  if (!headline) return null;
  return (
    <section className={section.section} aria-labelledby={heading}>
      <h2 id={heading}>Over time</h2>
      <div>
        <Picker
          label="Metric"
          value={headline.title}
          placeholder="Find a metric"
          sections={[{ choices: measured.map(({ title }) => ({ id: title, text: title })) }]}
          onChoose={setChosen}
        />
      </div>
      <Months key={headline.title} question={monthly(thing, headline)} page={headline.page ?? ""} />
    </section>
  );
}

/** The headline's question, limited to this chip or model. */
function monthly(thing: Hardware, { canonical }: Headline): Question {
  const { metrics, where } = readQuestion(canonical);
  const own = thing.where.flatMap((text) => parseClause(text) ?? []);
  const kept = where.filter(({ dimension }) => !own.some((item) => item.dimension === dimension));
  return {
    metrics,
    by: ["month"],
    where: [...kept, ...own],
    relativeTo: [],
    weight: "machine",
    flagged: "exclude",
  };
}

function Months({ question, page }: { question: Question; page: string }) {
  const catalog = useQuery(catalogQuery);
  const start = useQuery(startingPointQuery(question));
  const startedQuestion = start.data ? started(question, start.data) : question;
  const answer = useQuery({ ...answerQuery(startedQuestion), enabled: start.isFetched });
  const failure = answer.error ?? catalog.error;
  if (failure) return <ProblemNotice error={failure} onRetry={() => void answer.refetch()} />;
  if (!answer.data || !catalog.data) return <Skeleton height="42rem" lines={18} />;
  const { figure } = answer.data;
  return (
    <AnswerView
      answer={answer.data}
      figure={figure}
      words={wordsOf(catalog.data)}
      between={
        page ? (
          <p>
            <Link to={page} search={toSearch(startedQuestion)}>
              Open with filters, downloads and sharing
            </Link>
          </p>
        ) : null
      }
    />
  );
}
