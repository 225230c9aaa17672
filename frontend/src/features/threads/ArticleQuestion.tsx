import { Link } from "@tanstack/react-router";
import { chosen, type Question, toSearch } from "../../links/question";
import styles from "../../ui/Aside.module.css";
import { ARTICLE } from "./threads";

/** A curve depends on its points: one article's own are a click away from everybody's. */
export function ArticleQuestion({ question }: { question: Question }) {
  return (
    <section className={styles.question}>
      <h3>One article’s own curves</h3>
      {ARTICLE.every((clause) => chosen(question, clause)) ? (
        <p>
          These are the times, with one to five threads, through which an article draws its own two
          curves: on the host and in a virtual machine.{" "}
          <Link to="/threads" search={{ view: ["time"] }}>
            Back to all figures
          </Link>
        </p>
      ) : (
        <p>
          A curve through figures of several articles is not the one that any of them draws.{" "}
          <Link to="/threads" search={toSearch({ ...question, where: ARTICLE })}>
            Show one article only
          </Link>
        </p>
      )}
    </section>
  );
}
