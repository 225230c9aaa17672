import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { machineQuery, timelineQuery } from "../../api/machines";
import { catalogQuery } from "../../api/queries";
import { thingQuery } from "../../api/things";
import type { HardwareDetail, Headline, MachineDetail, Verdict } from "../../api/types";
import { counted, days, shortId } from "../../ui/format";
import { type Clause, parseClause, printClause } from "../../links/clause";
import { inFleet } from "../../links/fleet";
import { parseSearch, printSearch, type SearchLists } from "../../links/search";
import { sidesSearch } from "../../links/sides";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Unseen } from "../../figures/Unseen";
import { type Words, wordsOf } from "../../figures/words";
import { Strip } from "../../figures/Strip";
import { onEverything } from "../../figures/sides/sideWords";
import { Arrivals } from "../../ui/Arrivals";
import type { Followed } from "../../api/events";
import { Facts } from "../../ui/Facts";
import record from "../../ui/Record.module.css";
import section from "../../ui/Section.module.css";
import { choicesOf, type Choice, firstOf } from "../../figures/choices";
import styles from "./Machines.module.css";
import { Managing } from "./Managing";
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
  const shown = headlines.find((one) => chosen && isOf(chosen, one));
  const others = headlines.filter((one) => one !== shown);
  const searchOf = (headline: Headline) => {
    const choice = choices.find((one) => isOf(one, headline));
    return choice ? { ...search, show: [choice.id] } : undefined;
  };
  if (!verdict) return null;
  const rest = (
    <>
      <NextSteps steps={verdict.next} fleet={fleet}>
        <h3>Compare it</h3>
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
          {...{ machine, fleet, words, choices, chosen, search, onSearch, shown, verdict }}
          isAbout={shown !== undefined && shown === about}
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
  const own = Object.entries(headline.parameters);
  return (
    own.length === where.length &&
    own.every(([dimension, value]) =>
      where.some((one) => one.dimension === dimension && one.value === String(value ?? "")),
    )
  );
}

/** What the Mac is, in one line, with its model's page. */
function About({ machine, related, fleet }: ScopedProps & Pick<HardwareDetail, "related">) {
  const [model] = related;
  const own = [machine.chip, machine.words.system, runsText(machine)].filter(Boolean).join(" · ");
  const name = machine.model_name ?? "";
  return (
    <p className={record.kind}>
      {model ? (
        <>
          {machine.fleet && machine.model_name ? (
            // A model's page is of public runs.
            <Link
              to="/machines"
              search={inFleet({ where: [printClause(is("model", name))] }, fleet ?? "")}
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <Link to="/models/$slug" params={{ slug: model.slug }}>
              <bdi>{name || model.name}</bdi>
            </Link>
          )}{" "}
          ·{" "}
        </>
      ) : null}
      <bdi>{own}</bdi>
    </p>
  );
}

/** Facts about the machine, below its results. */
function Known({ machine }: { machine: MachineDetail }) {
  return (
    <details className={styles.behind}>
      <summary>
        <span className="act">Facts about this Mac</span>
      </summary>
      <div className={section.section}>
        {machine.os_versions.length > 1 ? (
          <ul className={styles.versions}>
            {machine.os_versions.map(({ os_version, first_at, last_at, runs }) => (
              <li key={os_version}>
                <strong>
                  <bdi>{os_version}</bdi>
                </strong>{" "}
                {days(first_at, last_at)}, {counted(runs, "run")}
              </li>
            ))}
          </ul>
        ) : null}
        <div className={record.facts}>
          {machine.words.facts.map(({ title, facts }) => (
            <Facts
              key={title}
              title={title === "Environment" ? "Latest environment" : title}
              facts={facts}
            />
          ))}
        </div>
      </div>
    </details>
  );
}

/** Articles don't date their runs, so published figures have no time. */
function runsText({ runs, sources, first_at, last_at }: MachineDetail): string {
  if (sources.every((source) => source === "published")) {
    return `${counted(runs, "figure")} from articles`;
  }
  return `${counted(runs, "run")}, ${days(first_at, last_at)}`;
}

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

interface ScopedProps {
  machine: MachineDetail;
  /** The fleet that the page is about, if it is about one. */
  fleet: string | undefined;
}

/** Link to a comparison that starts with this Mac. */
function Comparing({ machine, fleet }: ScopedProps) {
  // Not its name: a saved comparison has other readers than its fleet.
  const label = (machine.model_name ?? `Mac ${shortId(machine.id)}`).slice(0, 80);
  const itself = { where: [is("machine", machine.id)], label };
  const like = machine.chip ? [is("chip", machine.chip)] : [];
  const scope = fleet ? [is("fleet", fleet)] : [];
  const compared = { ...onEverything([itself, { where: like }]), where: scope, baseline: 2 };
  return (
    <Link to="/compare" search={sidesSearch(compared)}>
      {machine.chip ? "Compare with its chip" : "Compare"}
    </Link>
  );
}

/** Links to the machine's runs, host and VMs. */
function Ways({ machine, fleet, children }: ScopedProps & { children: ReactNode }) {
  const scope = fleet ? [is("fleet", fleet)] : [];
  const ownSearch = { where: [...scope, is("machine", machine.id)].map(printClause) };
  return (
    <nav aria-label="More about this Mac" className={styles.ways}>
      <Link to="/runs" search={ownSearch}>
        {counted(machine.runs, "run")}
      </Link>
      <Link to="/storage" search={ownSearch}>
        Storage results
      </Link>
      {children}
      {machine.host_machine_id ? (
        <Link
          to="/machines/$id"
          params={{ id: machine.host_machine_id }}
          search={inFleet({}, fleet)}
        >
          Its host
        </Link>
      ) : null}
      {machine.guests.map((guest) => (
        <Link key={guest} to="/machines/$id" params={{ id: guest }} search={inFleet({}, fleet)}>
          VM {guest.slice(0, 8)}
        </Link>
      ))}
    </nav>
  );
}

interface MeasuredProps extends Omit<MachineProps, "among">, ScopedProps {
  choices: Choice[];
  chosen: Choice;
  /** The headline that the chart shows, if it is one. */
  shown: Headline | undefined;
  verdict: Verdict;
  /** Whether the verdict is about it. */
  isAbout: boolean;
  /** The rest of the page, which comes only with the chart, so that it doesn't shift. */
  children: ReactNode;
}

/** One figure over time and its place among similar Macs; the figure can be chosen. */
function Measured(props: MeasuredProps) {
  const { machine, fleet, words, choices, chosen, search, onSearch, shown, verdict } = props;
  const where = chosen.where.map(printClause);
  const timeline = useQuery({
    ...timelineQuery(machine.id, chosen.metric, where),
    placeholderData: keepPreviousData,
  });
  const choose = (id: string) => onSearch({ ...search, show: [id] });
  const traits = traitsOf({ ...timeline.data?.lines[0]?.configuration, ...machine }, words);
  const cohort = shown
    ? parseSearch(shown.canonical).where?.flatMap((text) => parseClause(text) ?? [])
    : undefined;
  const like =
    search.like ??
    (cohort
      ? cohort.map(({ dimension }) => dimension)
      : traits.map(({ dimension }) => dimension).filter((name) => words.has(name, "like")));
  const known =
    shown && cohort && !search.like && shown.others.length > 0
      ? { title: capitalised(shown.rank.replace(/^the /, "")), strip: shown, where: cohort }
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
            title={shown?.title ?? chosen.name}
            of={[machine.words.title, machine.chip].filter(Boolean).join(" · ")}
            where={cohort ?? []}
            note={props.isAbout ? verdict.note : undefined}
            address={`/api/v1/machines/${machine.id}/timeline?${printSearch({ metric: [chosen.metric], where })}`}
            words={words}
          >
            {choices.length > 1 ? (
              <Chooser choices={choices} chosen={chosen} onChoose={choose} words={words} />
            ) : null}
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
          known={known}
        />
      ) : null}
      {timeline.data || timeline.error ? props.children : null}
    </>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface ChooserProps {
  choices: Choice[];
  chosen: Choice;
  onChoose: (id: string) => void;
  words: Words;
}

/** The choice of the figure in the chart. */
function Chooser({ choices, chosen, onChoose, words }: ChooserProps) {
  return (
    <label className={`${section.choose} ${styles.chooser}`}>
      Metric
      <select
        className="field"
        value={chosen.id}
        onChange={(event) => onChoose(event.target.value)}
      >
        {[...bySuite(choices, words)].map(([suite, own]) => (
          <optgroup key={suite} label={suite}>
            {own.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** Choices grouped by suite, as metrics are everywhere. */
function bySuite(choices: Choice[], words: Words): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of choices) {
    const suite = words.value("suite", words.metric(choice.metric)?.suite ?? "");
    found.set(suite, [...(found.get(suite) ?? []), choice]);
  }
  return found;
}
