import { useQuery } from "@tanstack/react-query";
import { Problem } from "../../api/client";
import { sessionQuery } from "../../api/session";
import { ProblemNotice, SignedOut } from "../../ui/ProblemNotice";
import { Skeleton } from "../../ui/Skeleton";

interface Props {
  error: unknown;
  onRetry: () => void;
}

/**
 * Why a fleet's page isn't shown. To everybody who can't see a fleet, the server says that there is
 * none. A reader who is signed out, such as a mail's, may be one of its members.
 */
export function Unseen({ error, onRetry }: Props) {
  const isMissing = error instanceof Problem && error.status === 404;
  const session = useQuery({ ...sessionQuery, enabled: isMissing });
  if (isMissing && session.isPending) return <Skeleton height="12rem" lines={4} />;
  if (isMissing && session.data?.person === null) return <SignedOut page />;
  return <ProblemNotice page error={error} onRetry={onRetry} />;
}
