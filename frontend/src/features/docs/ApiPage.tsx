import { useEffect } from "react";
import api from "../../../../docs/api.md?raw";
import { CopyButton } from "../../ui/CopyButton";
import { DataTable } from "../../ui/DataTable";
import { useTitle } from "../../ui/useTitle";
import prose from "../methods/Prose.module.css";
import styles from "./ApiPage.module.css";
import { anchorOf, type Block, blocksOf, inlinesOf } from "./markdown";

const BLOCKS = blocksOf(api);
const SECTIONS = BLOCKS.filter((block) => block.kind === "heading" && block.level > 1);
/** Files of the repository that this server has, too. */
const SERVED: Record<string, string> = {
  "../frontend/openapi.json": "/api/v1/openapi.json",
  "run.v1.schema.json": "/api/v1/run.v1.schema.json",
};

/** docs/api.md, whose examples a test runs, as a page. */
export function ApiPage() {
  useTitle("The API");
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <div className={prose.page}>
      <nav aria-label="The API" className={prose.contents}>
        <ul>
          {SECTIONS.map((block) =>
            block.kind === "heading" ? (
              <li key={block.text}>
                <a href={`#${anchorOf(block.text)}`}>{block.text}</a>
              </li>
            ) : null,
          )}
        </ul>
      </nav>
      <article className={styles.text}>
        {BLOCKS.map((block, place) => (
          // The text never changes while it is shown.
          <One key={place} block={block} place={place} /> // oxlint-disable-line no-array-index-key
        ))}
      </article>
    </div>
  );
}

function One({ block, place }: { block: Block; place: number }) {
  switch (block.kind) {
    case "heading":
      return block.level === 1 ? (
        <h1>{block.text}</h1>
      ) : (
        <h2 id={anchorOf(block.text)}>{block.text}</h2>
      );
    case "paragraph":
      return (
        <p>
          <Words text={block.text} />
        </p>
      );
    case "code":
      return (
        <div className={styles.code}>
          <pre tabIndex={0} role="region" aria-label={`Example ${place}, ${block.language}`}>
            <code>{block.text}</code>
          </pre>
          <CopyButton text={block.text}>Copy</CopyButton>
        </div>
      );
    case "table":
      return (
        <DataTable name={block.head.join(", ")} className={styles.table}>
          <thead>
            <tr>
              {block.head.map((cell) => (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map(([first = "", ...rest]) => (
              <tr key={first}>
                <th scope="row">
                  <Words text={first} />
                </th>
                {rest.map((cell) => (
                  <td key={cell}>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </DataTable>
      );
  }
}

function Words({ text }: { text: string }) {
  return inlinesOf(text).map((one, place) => {
    const key = `${place} ${one.text}`;
    switch (one.kind) {
      case "text":
        return <span key={key}>{one.text}</span>;
      case "code":
        return <code key={key}>{one.text}</code>;
      case "link":
        return (
          <a key={key} href={SERVED[one.to] ?? one.to}>
            {one.text}
          </a>
        );
    }
  });
}
