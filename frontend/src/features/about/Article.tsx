import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { PublishedSource, SourceFigure } from "../../api/types";
import { counted } from "../../ui/format";
import { listed } from "../../figures/words";
import { DataTable, Heads } from "../../ui/DataTable";
import styles from "./about.module.css";
import { siteOf } from "./publishers";

/** A citation, the number of figures used, cautions, and the figures on request. */
export function Article({ article }: { article: PublishedSource }) {
  // Hundreds of rows would slow the page, so render them only when opened.
  const [open, setOpen] = useState(false);
  const { figures, cautions } = article;
  const stored = figures.filter(({ run }) => run !== null);
  return (
    <li id={article.article} className={styles.article}>
      <h3>
        <bdi>{article.title}</bdi>
      </h3>
      <p>
        {article.author ? (
          <>
            <bdi>{article.author}</bdi>,{" "}
          </>
        ) : null}
        <Publisher article={article} />, {article.dated}
      </p>
      {article.note ? <p className="quiet">{article.note}</p> : null}
      <p>
        {figures.length === 0
          ? "No figures"
          : `${counted(figures.length, "figure")} printed, ${stored.length} in answers`}
        {stored.length > 0 ? (
          <>
            {" · "}
            <Link to="/runs" search={{ where: [`article:${article.article}`] }}>
              Show the runs
            </Link>
          </>
        ) : null}
      </p>
      {cautions.length > 0 ? (
        <p className={styles.cautions}>Cautions: {listed(cautions)}.</p>
      ) : null}
      {figures.length > 0 ? (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Every figure</summary>
          {open ? <Figures figures={figures} title={article.title} /> : null}
        </details>
      ) : null}
    </li>
  );
}

function Publisher({ article: { publisher, published } }: { article: PublishedSource }) {
  const site = siteOf(publisher, published);
  if (!site) return <bdi>{publisher}</bdi>;
  return (
    <a href={site} rel="noopener">
      {publisher}
    </a>
  );
}

function Figures({ figures, title }: { figures: SourceFigure[]; title: string }) {
  return (
    <DataTable name={`Figures of ${title}`} className={styles.table}>
      <Heads titles={["Row", "Figure", "As printed", "Used as", "Why"]} />
      <tbody>
        {figures.map((figure) => (
          <tr key={figure.row} id={`figure-${figure.row}`}>
            <th scope="row">
              {figure.run ? (
                <Link to="/runs/$id" params={{ id: figure.run }}>
                  {figure.row}
                </Link>
              ) : (
                figure.row
              )}
            </th>
            <td>{figure.what}</td>
            <td className={styles.printed}>
              {figure.qualifier ? <span className="quiet">{figure.qualifier} </span> : null}
              {figure.printed}
            </td>
            <td>{figure.disposition.replaceAll("_", " ")}</td>
            <td>{whyText(figure)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function whyText({ reason, see }: SourceFigure): string {
  return [reason ?? "", see.length > 0 ? `See ${listed(see)}.` : ""].filter(Boolean).join(" ");
}
