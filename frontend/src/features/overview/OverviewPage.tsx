import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { machinesQuery } from "../../api/machines";
import { catalogQuery, facetsQuery, MEASURED, measuredQuery, runsQuery } from "../../api/queries";
import type { Facets } from "../../api/types";
import { Button } from "../../ui/Button";
import { Form } from "../../ui/Form";
import { aboutFigures } from "../../ui/demo";
import { count } from "../../ui/format";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { countedIn } from "../../figures/counted";
import { wordsOf } from "../../figures/words";
import { Beside } from "./Beside";
import { FindingFigure } from "./FindingFigure";
import { findingsOf, MOST, ranked, SHOWN } from "./findings";
import { useFindings } from "./useFindings";
import type { Topics } from "../../questions/view";
import styles from "./Overview.module.css";

const EVERYTHING = { metrics: [], where: [], flagged: "include" } as const;
interface Props {
  topics: Topics;
  /** Open the page of the Mac, model or chip that is typed. */
  onLookUp: (text: string) => void;
}

/** The first page: a promise, the way to keep it, and what this server found. */
export function OverviewPage({ topics, onLookUp }: Props) {
  useTitle(undefined);
  const catalog = useQuery(catalogQuery);
  const facets = useQuery(facetsQuery({ ...EVERYTHING, metrics: [], where: [] }));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const candidates = useMemo(
    () => (facets.data ? findingsOf(topics, facets.data) : undefined),
    [topics, facets.data],
  );
  const findings = useFindings(candidates, words);
  const failure = catalog.error ?? facets.error;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Find out whether your Mac is as fast as it should be</h1>
        <p className={styles.lead}>
          Macmeter measures disks, cores and power, and shows your result beside Macs like yours and
          beside published figures.
        </p>
        <LookUp onLookUp={onLookUp} />
        <p className={styles.call}>
          <Link to="/add" className="button chief">
            Measure your Mac
          </Link>
          <span className="quiet">One command, a few minutes.</span>
        </p>
      </header>
      {failure ? (
        <ProblemNotice error={failure} onRetry={() => void facets.refetch()} />
      ) : (
        <>
          <div className={styles.findings}>
            {findings
              ? ranked(findings)
                  .slice(0, SHOWN)
                  .map((finding) => (
                    <FindingFigure key={finding.title} finding={finding} words={words} />
                  ))
              : Array.from({ length: SHOWN }, (_, index) => (
                  <Skeleton key={index} height="12rem" lines={MOST + 2} follows={index > 0} />
                ))}
          </div>
          {/* How high the findings are is known only now: what is below them would move. */}
          {findings ? (
            <>
              {findings[0] ? <Beside finding={findings[0]} words={words} /> : null}
              <div className={styles.foot}>
                <Counts facets={facets.data} />
                <p className="quiet">{aboutFigures()}</p>
              </div>
            </>
          ) : null}
        </>
      )}
    </div>
  );
}

function LookUp({ onLookUp }: Pick<Props, "onLookUp">) {
  return (
    <search>
      <Form
        className={styles.search}
        onSubmit={(form) => {
          const text = new FormData(form).get("q");
          if (typeof text === "string" && text.trim()) onLookUp(text.trim());
        }}
      >
        <input
          className="field"
          type="search"
          name="q"
          maxLength={200}
          aria-label="Your Mac: its model, identifier or chip"
          placeholder="Your Mac: Mac16,11 or M4 Pro"
        />
        <Button submit>Look up</Button>
      </Form>
    </search>
  );
}

/** Counts as the lists that they lead to count. */
function Counts({ facets }: { facets: Facets | undefined }) {
  const runs = useQuery(runsQuery([MEASURED], undefined, 1));
  const machines = useQuery(machinesQuery([MEASURED], "", undefined));
  const measured = useQuery(measuredQuery);
  const printed = facets?.dimensions
    .find(({ name }) => name === "source")
    ?.values.find(({ value }) => value === "published")?.runs;
  const counts = [
    [runs.data?.total, "measured run", "measured runs", "/runs", MEASURED],
    [machines.data?.total, "Mac", "Macs", "/machines", MEASURED],
    [measured.data && countedIn(measured.data, "chip").length, "chip", "chips", "/chips", ""],
    [printed ?? 0, "published run", "published runs", "/runs", "source:published"],
    [facets && countedIn(facets, "article").length, "article", "articles", "/about", ""],
  ] as const;
  return (
    <dl className={styles.counts} aria-busy={counts.some(([n]) => n === undefined)}>
      {counts.map(([n, singular, plural, to, where]) => (
        <div key={singular}>
          <dt>{n === 1 ? singular : plural}</dt>
          <dd>
            <Link to={to} search={where ? { where: [where] } : {}}>
              {n === undefined ? "–" : count(n)}
              <span className="visually-hidden"> {n === 1 ? singular : plural}</span>
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
