import { expect, it } from "vitest";
import { printQuestion, type Question } from "../links/question";
import { printSides } from "../links/sides";
import { START, START_QUESTION } from "../figures/sides/sideWords";
import { findingsOf } from "../features/overview/findings";
import { TOPICS } from "./topics";
import { asked, fitOf } from "../questions/view";

/**
 * The default question of each view, with the curve on offer, and of each finding, for tests that
 * check their figures against planted values: `npm test -- -u` rewrites it.
 */
it("asks what tests/figures/views.json says", async () => {
  const views = TOPICS.flatMap((topic) =>
    topic.views.map((view) => {
      const nothing: Question = {
        metrics: [],
        by: [],
        where: [],
        relativeTo: [],
        weight: "machine",
        flagged: "exclude",
      };
      const fit = fitOf(view, asked(view, nothing, topic));
      const question = printQuestion({ ...asked(view, nothing, topic), ...(fit ? { fit } : {}) });
      return { page: topic.path, view: view.id, question };
    }),
  );
  const findings = findingsOf(TOPICS).map(({ title, question, metric }) => ({
    title,
    metric,
    question: printQuestion(question),
  }));
  const compare = { sides: printSides(START), question: printQuestion(START_QUESTION) };
  const text = `${JSON.stringify({ views, findings, compare }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("../../../tests/figures/views.json");
});
