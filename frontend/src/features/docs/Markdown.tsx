import type { Token, Tokens } from "marked";
import { CopyButton } from "../../ui/CopyButton";
import { DataTable } from "../../ui/DataTable";
import styles from "./ApiPage.module.css";

/** Repository files that this server also serves. */
const SERVED: Record<string, string> = {
  "contract.txt": "/api/v1/openapi.json",
  "run.v1.schema.json": "/api/v1/run.v1.schema.json",
};

/** Render parsed Markdown. Throws on an unsupported token. */
export function Markdown({ tokens }: { tokens: Token[] }) {
  // Keys by index are safe: the text never changes while shown.
  return tokens.map((token, index) => (
    <One key={index} token={token} index={index} /> // oxlint-disable-line no-array-index-key
  ));
}

function One({ token, index }: { token: Token; index: number }) {
  const inner = "tokens" in token ? <Markdown tokens={token.tokens ?? []} /> : null;
  switch (token.type) {
    case "space":
      return null;
    case "heading":
      return token.depth === 1 ? <h1>{inner}</h1> : <h2 id={anchorOf(token.text)}>{inner}</h2>;
    case "paragraph":
      return <p>{inner}</p>;
    case "code":
      return <Example {...(token as Tokens.Code)} index={index} />;
    case "table":
      return <Rows {...(token as Tokens.Table)} />;
    case "text":
      return token.text;
    case "codespan":
      return <code>{token.text}</code>;
    case "link":
      return <a href={SERVED[token.href] ?? token.href}>{inner}</a>;
    default:
      throw new Error(`docs/api.md: the page has no element for "${token.type}".`);
  }
}

function Example({ lang = "", text, index }: Tokens.Code & { index: number }) {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} role="region" aria-label={`Example ${index}, ${lang}`}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text}>Copy</CopyButton>
    </div>
  );
}

function Rows({ header, rows }: Tokens.Table) {
  return (
    <DataTable name={header.map(({ text }) => text).join(", ")} className={styles.table}>
      <thead>
        <tr>
          {header.map(({ text, tokens }) => (
            <th key={text} scope="col">
              <Markdown tokens={tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...rest]) => (
          <tr key={first?.text}>
            <th scope="row">
              <Markdown tokens={first?.tokens ?? []} />
            </th>
            {rest.map(({ text, tokens }) => (
              <td key={text}>
                <Markdown tokens={tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Anchor id of a heading: "Saving and sharing" becomes saving-and-sharing. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
