import type { Answer } from "../api/types";
import { SavePanel } from "../features/comparisons/SavePanel";
import { Downloads, pictureOf } from "../figures/Downloads";
import { markdownOf } from "../figures/markdown";
import { printQuestion, type Question } from "../links/question";
import { CopyButton } from "../ui/CopyButton";
import { Menu } from "../ui/Menu";
import { isEmpty } from "./TopicAnswer";

interface Props {
  question: Question;
  answer: Answer;
}

/** What can be done with an answer: share it, or take it along. */
export function TopicActions({ question, answer }: Props) {
  if (isEmpty(answer)) return null;
  const printed = printQuestion(question);
  return (
    <>
      <SavePanel question={printed} />
      <Menu label="Export">
        <CopyButton picture={pictureOf(printed)}>Copy image</CopyButton>
        <CopyButton text={() => markdownOf(answer.figure, location.href, answer.as_of)}>
          Copy Markdown
        </CopyButton>
        <CopyButton text={() => location.href}>Copy link</CopyButton>
        <Downloads question={printed} />
      </Menu>
    </>
  );
}
