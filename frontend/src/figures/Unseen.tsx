import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Problem } from "../api/client";
import { sessionQuery } from "../api/session";
import { ProblemNotice, SignedOut, SignInLink } from "../ui/ProblemNotice";
import { Skeleton } from "../ui/Skeleton";

interface Props {
  error: unknown;
  onRetry: () => void;
  /** Next steps where the page may be of something that is public; a fleet's page never is. */
  ways?: ReactNode;
}

/**
 * Why a page that may be private isn't shown. To everybody who can't see a thing, the server says
 * that there is none. A reader who is signed out, such as a mail's, may be one who can.
 */
export function Unseen({ error, onRetry, ways }: Props) {
  const isMissing = error instanceof Problem && error.status === 404;
  const session = useQuery({ ...sessionQuery, enabled: isMissing });
  if (isMissing && session.isPending) return <Skeleton height="12rem" lines={4} />;
  const isSignedOut = isMissing && session.data?.person === null;
  if (isSignedOut && !ways) return <SignedOut page />;
  return (
    <ProblemNotice
      page
      error={error}
      onRetry={onRetry}
      ways={
        <>
          {isSignedOut ? <SignInLink /> : null}
          {ways ?? <Link to="/fleets">Your fleets</Link>}
        </>
      }
    />
  );
}
