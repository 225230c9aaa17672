import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { thingsQuery } from "../api/things";
import { OverviewPage } from "../features/overview/OverviewPage";
import { TOPICS } from "./topics";

/** The first page, whose search leads to a model, a chip or, by name or id, to Macs. */
export function OverviewRoute() {
  const queries = useQueryClient();
  const router = useRouter();
  const lookUp = async (text: string) => {
    const [{ matching, thingsOf }, models, chips] = await Promise.all([
      import("../features/shell/places"),
      queries.fetchQuery(thingsQuery("models")),
      queries.fetchQuery(thingsQuery("chips")),
    ]);
    const [match] = matching([...thingsOf("chips", chips), ...thingsOf("models", models)], text);
    router.history.push(match?.href ?? `/machines?${new URLSearchParams({ q: text })}`);
  };
  return <OverviewPage topics={TOPICS} onLookUp={(text) => void lookUp(text)} />;
}
