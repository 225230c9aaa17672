import { useId } from "react";
import { printRange, rangeOf } from "../../links/clause";
import type { Fit } from "../../links/question";
import styles from "./Residency.module.css";

interface Props {
  fit: Fit | undefined;
  active: string | undefined;
  onFit: (fit: Fit | undefined) => void;
  onActive: (range: string | undefined) => void;
}

const FITS: readonly Fit[] = ["linear", "quadratic"];
const CORES = [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12];

/** Choice of the curve and the range of samples it is fitted to. */
export function ResidencyControls({ fit, active, onFit, onActive }: Props) {
  const id = useId();
  const range = rangeOf(active ?? "") ?? {};
  const choose = (end: "low" | "high", text: string) => {
    const next = { ...range, [end]: text === "" ? undefined : Number(text) };
    const open = next.low === undefined && next.high === undefined;
    onActive(open ? "" : printRange(next));
  };
  return (
    <div className={styles.controls}>
      <label htmlFor={`${id}fit`}>Curve</label>
      <select
        id={`${id}fit`}
        className="field"
        value={fit ?? ""}
        onChange={({ target }) => onFit(FITS.find((name) => name === target.value))}
      >
        <option value="">none</option>
        {FITS.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {(["low", "high"] as const).map((end) => (
        <label key={end}>
          {end === "low" ? "Active cores from" : "to"}{" "}
          <select
            className="field"
            value={range[end] ?? ""}
            onChange={(event) => choose(end, event.target.value)}
          >
            <option value="">any</option>
            {[...new Set([...CORES, ...(range[end] === undefined ? [] : [range[end]])])]
              .toSorted((a, b) => a - b)
              .map((cores) => (
                <option key={cores} value={cores}>
                  {cores}
                </option>
              ))}
          </select>
        </label>
      ))}
    </div>
  );
}
