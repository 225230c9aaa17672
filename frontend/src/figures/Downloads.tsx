/**
 * Parameter that makes the picture as high as its answer: without it, the server returns the link
 * preview.
 */
const WHOLE = "width=1200";

/** Address of a question's picture. */
export const pictureOf = (question: string): string => `/api/v1/chart.png?${question}&${WHOLE}`;

/** Address of an answer's figures as text. */
export const csvOf = (question: string, answer: Props["answer"] = "answer"): string =>
  `/api/v1/${answer}.csv?${question}`;

/** Whether the public files have all that a question is about: they don't say whose a Mac is. */
const isOfPublicFiles = (question: string): boolean =>
  ![...new URLSearchParams(question).values()].some((value) => /^fleet(!?:|$)/.test(value));

interface Props {
  question: string;
  /** The endpoint: a comparison of sides has its own. */
  answer?: "answer" | "compare";
}

/** Downloads of a live answer: its figures as text, its chart as a picture. */
export function Downloads({ question, answer = "answer" }: Props) {
  return (
    <>
      <a className="button" href={csvOf(question, answer)} download="macmeter.csv">
        Figures as CSV
      </a>
      <a className="button" href={`/api/v1/${answer}?${question}`} download="macmeter.json">
        JSON
      </a>
      {answer === "answer" && isOfPublicFiles(question) ? (
        <a
          className="button"
          href={`/api/v1/answer.sql?${question}`}
          download="macmeter.sql"
          title="The statement that makes these figures of the public files, for DuckDB"
        >
          SQL
        </a>
      ) : null}
      <a className="button" href={pictureOf(question)} download="macmeter.png">
        PNG
      </a>
      <a className="button" href={`/api/v1/chart.svg?${question}`} download="macmeter.svg">
        SVG
      </a>
      <a
        className="button"
        href={`/api/v1/${answer}.atom?${question}`}
        type="application/atom+xml"
        title="What changed here, week by week, for a feed reader"
      >
        Feed
      </a>
    </>
  );
}
