import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Headline, Verdict } from "../../api/types";
import { Strip } from "../../figures/Strip";
import { inFleet } from "../../links/fleet";
import { parseSearch, type SearchLists } from "../../links/search";
import { Command } from "../../ui/Command";
import { DataTable, Heads } from "../../ui/DataTable";
import { THIN } from "../../ui/format";
import section from "../../ui/Section.module.css";
import styles from "./Machines.module.css";

/** A space that keeps a figure and its unit on one line. */
const NARROW = "\u202F";
const withNarrowSpaces = (text: string) => text.replaceAll(THIN, NARROW);

/** The verdict as a title, its change in the colour of its direction. */
export function Title({ verdict: { title, mark, worse } }: { verdict: Verdict }) {
  const start = title.indexOf(mark);
  if (!mark || start < 0) return withNarrowSpaces(title);
  const colour = worse === null ? undefined : styles[worse ? "worse" : "better"];
  return (
    <>
      {withNarrowSpaces(title.slice(0, start))}
      <span className={colour}>{mark}</span>
      {withNarrowSpaces(title.slice(start + mark.length))}
    </>
  );
}

interface NextProps {
  steps: Verdict["next"];
  /** The fleet that the page is about, if it is about one. */
  fleet: string | undefined;
  /** The last of the steps, if there is room for it. */
  children: ReactNode;
}

/** At most as many as fit beside each other. */
export const MOST_STEPS = 3;

/** What to do about the verdict. */
export function NextSteps({ steps, fleet, children }: NextProps) {
  return (
    <section className={section.section} aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      <ol className={styles.next}>
        {steps.map(({ title, text, command, link, search }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            {command ? <Command text={command} /> : null}
            {link && search ? (
              <Link to="/compare" search={inFleet(parseSearch(search), fleet)}>
                {link}
              </Link>
            ) : null}
          </li>
        ))}
        {steps.length < MOST_STEPS ? <li>{children}</li> : null}
      </ol>
    </section>
  );
}

interface OthersProps {
  headlines: Headline[];
  /** Search of the page with this figure in its chart. */
  searchOf: (headline: Headline) => SearchLists | undefined;
}

/** The figures that the verdict is not about, each on its strip. */
export function OtherFigures({ headlines, searchOf }: OthersProps) {
  if (headlines.length === 0) return null;
  return (
    <section className={section.section} aria-labelledby="others">
      <h2 id="others">Other figures</h2>
      <DataTable name="Other figures among others" className={styles.others}>
        <Heads titles={["Figure", { number: "This Mac" }, "Among others", "Place", "Change"]} />
        <tbody>
          {headlines.map((headline) => {
            const search = searchOf(headline);
            return (
              <tr key={headline.title}>
                <th scope="row">
                  {search ? (
                    <Link to="." search={search} resetScroll={false}>
                      {headline.title}
                    </Link>
                  ) : (
                    headline.title
                  )}
                </th>
                <td className="number chief">{headline.value}</td>
                <td className={styles.among}>
                  {headline.others.length > 0 ? <Strip strip={headline} /> : null}
                </td>
                <td>{headline.rank}</td>
                <td>{headline.changed || "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </DataTable>
    </section>
  );
}
