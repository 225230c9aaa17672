import { Link, useRouter } from "@tanstack/react-router";
import { ProblemNotice } from "../ui/ProblemNotice";
import { Notice } from "../ui/Notice";

const TO_OVERVIEW = <Link to="/">Go to the overview</Link>;

export function PageMissing() {
  return (
    <Notice page title="Page not found" actions={TO_OVERVIEW}>
      <p>The address may be mistyped, or the page was removed.</p>
    </Notice>
  );
}

export function PageFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <ProblemNotice page error={error} onRetry={() => void router.invalidate()} ways={TO_OVERVIEW} />
  );
}
