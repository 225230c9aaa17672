import { lexer, type Tokens } from "marked";
import { useEffect } from "react";
import api from "../../../../docs/api.md?raw";
import { useTitle } from "../../ui/useTitle";
import prose from "../../ui/Prose.module.css";
import styles from "./ApiPage.module.css";
import { anchorOf, Markdown } from "./Markdown";

const TOKENS = lexer(api);
const SECTIONS = TOKENS.filter(
  (token): token is Tokens.Heading => token.type === "heading" && token.depth > 1,
);

/** docs/api.md as a page; a test runs its examples. */
export function ApiPage() {
  useTitle("The API");
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <div className={prose.page}>
      <nav aria-label="The API" className={prose.contents}>
        <ul>
          {SECTIONS.map(({ raw, text }) => (
            <li key={raw}>
              <a href={`#${anchorOf(text)}`}>{text}</a>
            </li>
          ))}
        </ul>
      </nav>
      <article className={styles.text}>
        <Markdown tokens={TOKENS} />
      </article>
    </div>
  );
}
