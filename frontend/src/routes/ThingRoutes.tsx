import { getRouteApi } from "@tanstack/react-router";
import { ChipFacts } from "../features/chips/ChipFacts";
import { ThingPage } from "../features/hardware/ThingPage";

const chip = getRouteApi("/chips/$slug");
const model = getRouteApi("/models/$slug");

export function ChipRoute() {
  const { slug } = chip.useParams();
  return (
    <ThingPage key={slug} kind="chips" slug={slug}>
      {({ name }) => <ChipFacts chip={name} />}
    </ThingPage>
  );
}

export function ModelRoute() {
  const { slug } = model.useParams();
  return <ThingPage key={slug} kind="models" slug={slug} />;
}
