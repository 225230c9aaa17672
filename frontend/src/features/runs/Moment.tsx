import { type PointerEvent, type ReactNode, useState } from "react";
import { LEFT, RIGHT } from "../../figures/charts/TimePanel";
import { fixed } from "../../ui/format";
import { short } from "./TracePanels";
import styles from "./TraceFigure.module.css";
import { nearest, type Trace, type Use } from "./trace";

interface Props {
  trace: Trace;
  use: Use;
  /** The panels, which share one time axis. */
  children: ReactNode;
}

/** Values at one time: under the pointer, or chosen with the slider. */
export function Moment({ trace: { times, ...trace }, use, children }: Props) {
  const [near, setNear] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const at = near ?? chosen;
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    setNear(share < 0 || share > 1 ? undefined : nearest(times, first + share * (last - first)));
  };
  const moment = at === undefined ? undefined : (times[at] ?? first);
  const textAt = (index: number | undefined) =>
    index === undefined ? undefined : readingOf(trace, use, times, index);
  return (
    <>
      <p className={styles.reading} aria-hidden="true">
        {textAt(at) ?? "Point at the chart or move the slider to read a moment."}
      </p>
      <div
        className={styles.panels}
        onPointerMove={follow}
        onPointerLeave={() => setNear(undefined)}
      >
        {children}
        {moment === undefined ? null : (
          <div
            className={styles.moment}
            style={{
              left: `calc(${LEFT}px + (100% - ${LEFT + RIGHT}px) * ${(moment - first) / (last - first)})`,
            }}
          />
        )}
      </div>
      <input
        type="range"
        className={styles.slider}
        aria-label="Moment"
        aria-valuetext={textAt(chosen) ?? "none chosen"}
        min={0}
        max={times.length - 1}
        value={chosen ?? 0}
        onChange={(event) => setChosen(Number(event.target.value))}
      />
    </>
  );
}

function readingOf(
  { clusters, power }: Omit<Trace, "times">,
  use: Use,
  times: number[],
  at: number,
): string {
  const [plain, weighted, watts] = [use.plain[at], use.weighted[at], power[at]];
  return [
    `${fixed(times[at] ?? 0, 1)} s`,
    plain === undefined ? undefined : `${fixed(plain * 100, 0)} % CPU`,
    weighted === undefined ? undefined : `worth ${fixed(weighted * 100, 0)} %`,
    ...clusters.map(({ name, frequency }) => {
      const value = frequency[at];
      return value === undefined ? undefined : `${short(name)} ${fixed(value / 1e9, 2)} GHz`;
    }),
    watts === undefined ? undefined : `${fixed(watts, 2)} W`,
  ]
    .filter((text) => text !== undefined)
    .join(" · ");
}
