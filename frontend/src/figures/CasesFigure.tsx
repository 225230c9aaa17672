import { useMemo } from "react";
import type { Chart } from "../api/types";
import { drawnCases } from "./cases";
import CasesChart from "./charts/CasesChart";
import { ChartKey, entriesOf } from "./Key";
import { LaneTip } from "./Tips";

interface Props {
  chart: Chart;
  width: number;
}

export default function CasesFigure({ chart, width }: Props) {
  const drawn = useMemo(() => drawnCases(chart), [chart]);
  return (
    <>
      <CasesChart
        cases={drawn}
        axis={chart.up}
        width={width}
        tip={(of, lane) => <LaneTip of={of} lane={lane} chart={chart} />}
      />
      <ChartKey entries={entriesOf(chart.key)} />
    </>
  );
}
