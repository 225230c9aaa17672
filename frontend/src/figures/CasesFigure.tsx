import { useMemo, useState } from "react";
import type { Chart } from "../api/types";
import { drawnCases, withLanes } from "./cases";
import CasesChart from "./charts/CasesChart";
import { ChartKey, isShown, signsOf, ToggleKey, togglesOf } from "./Key";
import { LaneTip } from "./Tips";

interface Props {
  chart: Chart;
  width: number;
}

export default function CasesFigure({ chart, width }: Props) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shownCases = useMemo(
    () => withLanes(drawnCases(chart), (lane) => isShown(hidden, lane)),
    [chart, hidden],
  );
  return (
    <>
      {shownCases.length > 0 ? (
        <CasesChart
          cases={shownCases}
          axis={chart.up}
          width={width}
          tip={(row, lane) => <LaneTip row={row} lane={lane} chart={chart} />}
        />
      ) : null}
      <ToggleKey entries={togglesOf(chart.key)} hidden={hidden} onHide={setHidden} />
      <ChartKey entries={signsOf(chart.key)} />
    </>
  );
}
