import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { machineQuery, timelineQuery } from "../../api/machines";
import { catalogQuery } from "../../api/queries";
import { thingQuery } from "../../api/things";
import type { MachineDetail } from "../../api/types";
import { counted, days, shortId } from "../../ui/format";
import { type Clause, printClause } from "../../links/clause";
import { inFleet } from "../../links/fleet";
import { printSearch, type SearchLists } from "../../links/search";
import { sidesSearch } from "../../links/sides";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Unseen } from "../../figures/Unseen";
import { type Words, wordsOf } from "../../figures/words";
import { Headlines } from "../../figures/Headlines";
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
import { traitsOf } from "../../figures/similar";
import { type OnSearch, useFleet } from "../../figures/useFleet";
import { PlacePanel } from "../../figures/PlacePanel";

interface Props {
  id: string;
  search: SearchLists;
  onSearch: OnSearch;
}

/** A machine's facts, its results over time, and its percentile among similar Macs. */
export function MachinePage({ id, search, onSearch }: Props) {
  const catalog = useQuery(catalogQuery);
  const machine = useQuery(machineQuery(id));
  // Its figures are at the top, so the page waits for them rather than shift.
  const among = useQuery(thingQuery("machines", id));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  useTitle(machine.data?.words.title ?? "Mac");
  const failure = machine.error ?? catalog.error;
  if (failure) {
    return (
      <Unseen
        error={failure}
        onRetry={() => void machine.refetch()}
        ways={
          <Link to="/machines" search={{}}>
            Show all Macs
          </Link>
        }
      />
    );
  }
  if (!machine.data || !words || among.isPending) return <Skeleton height="60rem" lines={26} />;
  return (
    <>
      <Arrivals followed={followed(id)} since={machine.data.as_of} />
      <Machine machine={machine.data} words={words} search={search} onSearch={onSearch} />
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
  words: Words;
}

function Machine({ machine, words, search, onSearch }: MachineProps) {
  const fleet = useFleet(machine.fleet, search, onSearch);
  const choices = useMemo(() => choicesOf(machine), [machine]);
  const chosen = choices.find(({ id }) => id === search.show?.[0]) ?? firstOf(choices);
  return (
    <article className={styles.page}>
      <header className={record.head}>
        <p className={record.kind}>{machine.virtual ? "Virtual machine" : "Mac"}</p>
        <h1>
          <bdi>{machine.words.title}</bdi>
        </h1>
        <p className={record.sub}>
          {[
            machine.name === null ? "" : (machine.model_name ?? ""),
            machine.chip,
            machine.words.system,
            runsText(machine),
          ]
            .filter((part) => part)
            .map((part, place) => (
              <bdi key={part}>
                {place > 0 ? " · " : ""}
                {part}
              </bdi>
            ))}
        </p>
        <Ways machine={machine} fleet={fleet} />
        {machine.fleet ? <Managing fleet={machine.fleet} id={machine.id} /> : null}
      </header>
      <AmongOthers machine={machine} fleet={fleet} />
      {chosen ? (
        <Measured
          machine={machine}
          fleet={fleet}
          words={words}
          choices={choices}
          chosen={chosen}
          search={search}
          onSearch={onSearch}
        />
      ) : (
        <Known machine={machine} />
      )}
    </article>
  );
}

/** Its headline figures among Macs with the same chip, and a link to its model's page. */
function AmongOthers({ machine, fleet }: ScopedProps) {
  const found = useQuery(thingQuery("machines", machine.id));
  if (!found.data) return null;
  const [model] = found.data.related;
  return (
    <>
      <Headlines headlines={found.data.headlines} linked={false} />
      {model ? (
        <p className={section.note}>
          More of this model:{" "}
          {machine.fleet && machine.model_name ? (
            // A model's page is of public runs.
            <Link
              to="/machines"
              search={inFleet(
                { where: [printClause(is("model", machine.model_name))] },
                fleet ?? "",
              )}
            >
              <bdi>{model.name}</bdi>
            </Link>
          ) : (
            <Link to="/models/$slug" params={{ slug: model.slug }}>
              <bdi>{model.name}</bdi>
            </Link>
          )}
        </p>
      ) : null}
    </>
  );
}

/** Facts about the machine, below its results. */
function Known({ machine }: { machine: MachineDetail }) {
  return (
    <>
      {machine.os_versions.length > 1 ? (
        <section className={section.section}>
          <h2>macOS history</h2>
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
        </section>
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
    </>
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

/** Links to the machine's runs, host and VMs, and to a comparison that starts with it. */
function Ways({ machine, fleet }: ScopedProps) {
  const own = is("machine", machine.id);
  // Not its name: a saved comparison has other readers than its fleet.
  const label = (machine.model_name ?? `Mac ${shortId(machine.id)}`).slice(0, 80);
  const itself = { where: [own], label };
  const like = machine.chip ? [is("chip", machine.chip)] : [];
  const scope = fleet ? [is("fleet", fleet)] : [];
  const compared = { ...onEverything([itself, { where: like }]), where: scope, baseline: 2 };
  const ownSearch = { where: [...scope, own].map(printClause) };
  return (
    <nav aria-label="More about this Mac" className={styles.ways}>
      <Link to="/runs" search={ownSearch}>
        Runs
      </Link>
      <Link to="/storage" search={ownSearch}>
        Storage results
      </Link>
      <Link to="/compare" search={sidesSearch(compared)}>
        {machine.chip ? "Compare with its chip" : "Compare"}
      </Link>
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

interface MeasuredProps extends MachineProps, ScopedProps {
  choices: Choice[];
  chosen: Choice;
}

function Measured(props: MeasuredProps) {
  const { machine, fleet, words, choices, chosen, search, onSearch } = props;
  const where = chosen.where.map(printClause);
  const timeline = useQuery({
    ...timelineQuery(machine.id, chosen.metric, where),
    placeholderData: keepPreviousData,
  });
  const choose = (id: string) => onSearch({ ...search, show: [id] });
  const traits = traitsOf({ ...timeline.data?.lines[0]?.configuration, ...machine }, words);
  const like =
    search.like ??
    traits.map(({ dimension }) => dimension).filter((name) => words.has(name, "like"));
  return (
    <>
      <section className={section.section} aria-label="Over time">
        {choices.length > 1 ? (
          <label className={section.choose}>
            Show
            <select
              className="field"
              value={chosen.id}
              onChange={(event) => choose(event.target.value)}
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
        ) : null}
        <div className={section.section} aria-busy={timeline.isFetching}>
          {timeline.error ? (
            <ProblemNotice error={timeline.error} onRetry={() => void timeline.refetch()} />
          ) : timeline.data ? (
            timeline.data.lines.length > 0 ? (
              <OverTime
                timeline={timeline.data}
                title={`${chosen.name} over time`}
                of={[machine.words.title, machine.chip].filter(Boolean).join(", ")}
                address={`/api/v1/machines/${machine.id}/timeline?${printSearch({ metric: [chosen.metric], where })}`}
                words={words}
              />
            ) : (
              <p className={section.note}>All results for this metric are doubted or withdrawn.</p>
            )
          ) : (
            <Skeleton height="40rem" lines={18} />
          )}
        </div>
      </section>
      {timeline.data ? (
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
        />
      ) : null}
      {/* Only now, so that it doesn't shift. */}
      {timeline.data || timeline.error ? <Known machine={machine} /> : null}
    </>
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
