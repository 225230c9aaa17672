import type { Answer } from "../api/types";
import { SavePanel } from "../features/comparisons/SavePanel";
import { Copies } from "../figures/Copies";
import { Downloads, pictureOf } from "../figures/Downloads";
import { printQuestion, type Question } from "../links/question";
import { Menu } from "../ui/Menu";
import { isEmpty } from "./TopicAnswer";

interface Props {
  question: Question;
  answer: Answer;
}

/** What can be done with an answer: share it, or take it along. */
export function TopicActions({ question, answer }: Props) {
  if (isEmpty(answer)) return null;
  const asked = printQuestion(question);
  return (
    <>
      <SavePanel question={asked} />
      <Menu label="Export">
        <Copies figure={answer.figure} asOf={answer.as_of} picture={pictureOf(asked)} />
        <Downloads question={asked} />
      </Menu>
    </>
  );
}
