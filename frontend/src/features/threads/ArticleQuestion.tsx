import { Link } from "@tanstack/react-router";
import type { Clause } from "../../links/clause";
import { chosen, toSearch } from "../../links/question";
import type { Extra } from "../../questions/view";
import styles from "../../ui/Aside.module.css";

/** The figures behind one article's own curves, so that they can be checked. */
const ARTICLE: Clause[] = [
  { dimension: "article", op: "is", value: "a004-more-threads" },
  { dimension: "threads", op: "is", value: "1..5" },
];

/** Switch between one article's figures and all: a curve depends on its points. */
export function ArticleQuestion({ question, answer }: Extra) {
  const isCited = answer.figure.sources?.some(({ article }) => article === ARTICLE[0]?.value);
  if (!isCited) return null;
  return (
    <section className={styles.question}>
      <h3>One article’s own curves</h3>
      {ARTICLE.every((clause) => chosen(question, clause)) ? (
        <p>
          These are the times with one to five threads that one article uses for its two curves: on
          the host and in a virtual machine.{" "}
          <Link to="/threads" search={{ view: ["time"] }}>
            Back to all figures
          </Link>
        </p>
      ) : (
        <p>
          A curve through figures of several articles matches none of the curves they print.{" "}
          <Link to="/threads" search={toSearch({ ...question, where: ARTICLE, fit: "power" })}>
            Show one article only
          </Link>
        </p>
      )}
    </section>
  );
}
