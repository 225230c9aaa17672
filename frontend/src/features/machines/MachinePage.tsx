import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { machineQuery, timelineQuery } from "../../api/machines";
import { catalogQuery } from "../../api/queries";
import { thingQuery } from "../../api/things";
import type { HardwareDetail, Headline, MachineDetail, Verdict } from "../../api/types";
import { type Clause, parseClause, printClause } from "../../links/clause";
import { inFleet } from "../../links/fleet";
import { parseSearch, printSearch, type SearchLists } from "../../links/search";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Unseen } from "../../figures/Unseen";
import { type Words, wordsOf } from "../../figures/words";
import { Strip } from "../../figures/Strip";
import { Arrivals } from "../../ui/Arrivals";
import type { Followed } from "../../api/events";
import record from "../../ui/Record.module.css";
import section from "../../ui/Section.module.css";
import { choicesOf, type Choice, firstOf } from "../../figures/choices";
import { About, Comparing, Known, type ScopedProps, Ways } from "./AboutMachine";
import styles from "./Machines.module.css";
import { Managing } from "./Managing";
import { MetricChoice } from "../../figures/MetricChoice";
import { OverTime } from "./OverTime";
import { MOST_STEPS, NextSteps, OtherFigures, Title } from "./Verdict";
import { traitsOf } from "../../figures/similar";
import { type OnSearch, useFleet } from "../../figures/useFleet";
import { PlacePanel } from "../../figures/PlacePanel";

interface Props {
  id: string;
  search: SearchLists;
  onSearch: OnSearch;
}

/** A machine's verdict, what it rests on, and its other figures. */
export function MachinePage({ id, search, onSearch }: Props) {
  const catalog = useQuery(catalogQuery);
  const machine = useQuery(machineQuery(id));
  // Its verdict is at the top, so the page waits for it rather than shift.
  const among = useQuery(thingQuery("machines", id));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  useTitle(machine.data?.words.title ?? "Mac");
  const failure = machine.error ?? among.error ?? catalog.error;
  if (failure) {
    return (
      <Unseen
        error={failure}
        onRetry={() => void Promise.all([machine.refetch(), among.refetch()])}
        ways={
          <Link to="/machines" search={{}}>
            Show all Macs
          </Link>
        }
      />
    );
  }
  if (!machine.data || !words || !among.data) return <Skeleton height="60rem" lines={26} />;
  return (
    <>
      <Arrivals followed={followed(id)} since={machine.data.as_of} />
      <Machine
        machine={machine.data}
        among={among.data}
        words={words}
        search={search}
        onSearch={onSearch}
      />
    </>
  );
}

/** All runs of this machine, including doubtful ones. */
function followed(machine: string): Followed {
  const where: Clause[] = [{ dimension: "machine", op: "is", value: machine }];
  return { metrics: [], where, flagged: "include" };
}

interface MachineProps extends Omit<Props, "id"> {
  machine: MachineDetail;
  among: HardwareDetail;
  words: Words;
}

function Machine({ machine, among, words, search, onSearch }: MachineProps) {
  const fleet = useFleet(machine.fleet, search, onSearch);
  const choices = useMemo(() => choicesOf(machine), [machine]);
  const { headlines, verdict, related } = among;
  const about = verdict?.shown == null ? undefined : headlines[verdict.shown];
  const chosen =
    choices.find(({ id }) => id === search.show?.[0]) ??
    choices.find((choice) => isOf(choice, about)) ??
    firstOf(choices);
  const current = headlines.find((headline) => chosen && isOf(chosen, headline));
  const others = headlines.filter((headline) => headline !== current);
  const searchOf = (headline: Headline) => {
    const choice = choices.find((candidate) => isOf(candidate, headline));
    return choice ? { ...search, show: [choice.id] } : undefined;
  };
  if (!verdict) return null;
  const rest = (
    <>
      <NextSteps steps={verdict.next} fleet={fleet}>
        <h3>Compare</h3>
        <p>
          Every figure beside those of Macs like it. Saved, the comparison keeps its figures and
          runs behind one link.
        </p>
        <Comparing machine={machine} fleet={fleet} />
      </NextSteps>
      <OtherFigures headlines={others} searchOf={searchOf} />
      <Ways machine={machine} fleet={fleet}>
        {verdict.next.length < MOST_STEPS ? null : <Comparing machine={machine} fleet={fleet} />}
      </Ways>
      {machine.fleet ? <Managing fleet={machine.fleet} id={machine.id} /> : null}
      <Known machine={machine} />
    </>
  );
  return (
    <article className={styles.page}>
      <header className={record.head}>
        <p className={record.kind}>
          <Link to="/machines" search={inFleet({}, fleet)}>
            Macs
          </Link>{" "}
          / {machine.virtual ? "VM " : ""}
          <bdi>{machine.words.title}</bdi>
        </p>
        <h1 className={styles.verdict}>
          <Title verdict={verdict} />
        </h1>
        <p className={styles.lede}>{verdict.lede}</p>
        <About machine={machine} related={related} fleet={fleet} />
      </header>
      {verdict.strip ? (
        <section className={section.section} aria-label="Its place">
          <Strip strip={verdict.strip} tall />
          <p className={section.note}>{verdict.note}</p>
        </section>
      ) : null}
      {chosen ? (
        <Measured
          {...{ machine, fleet, words, choices, chosen, search, onSearch, current, verdict }}
          isAbout={current !== undefined && current === about}
        >
          {rest}
        </Measured>
      ) : (
        rest
      )}
    </article>
  );
}

/** Whether a headline is of this metric with these parameters. */
function isOf({ metric, where }: Choice, headline: Headline | undefined): boolean {
  if (metric !== headline?.metric) return false;
  const parameters = Object.entries(headline.parameters);
  return (
    parameters.length === where.length &&
    parameters.every(([dimension, value]) =>
      where.some((item) => item.dimension === dimension && item.value === String(value ?? "")),
    )
  );
}

interface MeasuredProps extends Omit<MachineProps, "among">, ScopedProps {
  choices: Choice[];
  chosen: Choice;
  /** The headline that the chart shows, if it is one. */
  current: Headline | undefined;
  verdict: Verdict;
  /** Whether the verdict is about it. */
  isAbout: boolean;
  /** The rest of the page, which comes only with the chart, so that it doesn't shift. */
  children: ReactNode;
}

/** One figure over time and its place among similar Macs; the figure can be chosen. */
function Measured(props: MeasuredProps) {
  const { machine, fleet, words, choices, chosen, search, onSearch, current, verdict } = props;
  const where = chosen.where.map(printClause);
  const timeline = useQuery({
    ...timelineQuery(machine.id, chosen.metric, where),
    placeholderData: keepPreviousData,
  });
  const choose = (id: string) => onSearch({ ...search, show: [id] });
  const traits = traitsOf({ ...timeline.data?.lines[0]?.configuration, ...machine }, words);
  const cohort = current
    ? parseSearch(current.canonical).where?.flatMap((text) => parseClause(text) ?? [])
    : undefined;
  const like =
    search.like ??
    (cohort
      ? cohort.map(({ dimension }) => dimension)
      : traits.map(({ dimension }) => dimension).filter((name) => words.has(name, "like")));
  const computed =
    current && cohort && !search.like && current.others.length > 0
      ? { title: capitalised(current.rank.replace(/^the /, "")), strip: current, where: cohort }
      : undefined;
  return (
    <>
      <section aria-label="Over time" aria-busy={timeline.isFetching}>
        {timeline.error ? (
          <ProblemNotice error={timeline.error} onRetry={() => void timeline.refetch()} />
        ) : timeline.data ? (
          <OverTime
            key={chosen.id}
            timeline={timeline.data}
            title={current?.title ?? chosen.name}
            name={[machine.words.title, machine.chip].filter(Boolean).join(" · ")}
            where={cohort ?? []}
            note={props.isAbout ? verdict.note : undefined}
            address={`/api/v1/machines/${machine.id}/timeline?${printSearch({ metric: [chosen.metric], where })}`}
            words={words}
          >
            <MetricChoice choices={choices} chosen={chosen} onChoose={choose} words={words} />
          </OverTime>
        ) : (
          <Skeleton height="40rem" lines={18} />
        )}
      </section>
      {timeline.data && !verdict.strip ? (
        <PlacePanel
          placed={{ machine: machine.id }}
          fleet={fleet}
          choices={[]}
          chosen={chosen}
          onChoose={choose}
          traits={traits}
          like={like}
          onLike={(next) => onSearch({ ...search, like: next.length > 0 ? next : [""] })}
          words={words}
          computed={computed}
        />
      ) : null}
      {timeline.data || timeline.error ? props.children : null}
    </>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
