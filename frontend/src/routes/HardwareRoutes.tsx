import { getRouteApi } from "@tanstack/react-router";
import { ChipFacts } from "../features/chips/ChipFacts";
import { HardwarePage } from "../features/hardware/HardwarePage";

const chip = getRouteApi("/chips/$slug");
const model = getRouteApi("/models/$slug");

export function ChipRoute() {
  const { slug } = chip.useParams();
  return (
    <HardwarePage key={slug} kind="chips" slug={slug}>
      {({ name }) => <ChipFacts chip={name} />}
    </HardwarePage>
  );
}

export function ModelRoute() {
  const { slug } = model.useParams();
  return <HardwarePage key={slug} kind="models" slug={slug} />;
}
