import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Problem } from "../api/client";
import { UnreadableQuestion } from "../links/question";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props {
  error: unknown;
  page?: boolean;
  onRetry?: () => void;
  /** Next steps on this page, such as a link to a question that works. */
  ways?: ReactNode;
}

/** Why there is no answer, in the server's own words, and what to do. */
export function ProblemNotice({ error, page, onRetry, ways }: Props) {
  if (error instanceof Problem && error.status === 401) return <SignedOut page={page} />;
  const { title, detail, pointer, again } = explained(error);
  return (
    <Notice
      tone="failure"
      title={title}
      page={page}
      actions={
        <>
          {again && onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
          {ways}
        </>
      }
    >
      <p>
        <bdi>{detail}</bdi>
      </p>
      {pointer ? (
        <p className="quiet">
          {pointer.startsWith("?") ? "Parameter" : "Field"} <code>{pointer.replace("?", "")}</code>
        </p>
      ) : null}
    </Notice>
  );
}

/**
 * Sign-in prompt, which leads back to this page. The server's own text is about tokens, which
 * browsers don't have.
 */
export function SignedOut({ page }: { page: boolean | undefined }) {
  return <Notice tone="failure" title="You’re signed out" page={page} actions={<SignInLink />} />;
}

/** Leads back to this page. */
export function SignInLink() {
  const { pathname, search, hash } = location;
  return (
    <Link to="/sign-in" search={{ to: [pathname + search + hash] }}>
      Sign in
    </Link>
  );
}

/** Whether the server refuses a part of the path, such as an id. */
const isOfPath = ({ pointer }: Problem) => pointer?.startsWith("{") ?? false;

function titleOf(error: Problem): string {
  if (isOfPath(error)) return "This address isn’t valid";
  return error.status === 422 ? "This question can’t be answered" : error.title;
}

function explained(error: unknown): {
  title: string;
  detail: string;
  pointer?: string;
  again: boolean;
} {
  if (error instanceof UnreadableQuestion) {
    return {
      title: "This address isn’t valid",
      detail: error.message,
      pointer: error.parameter,
      again: false,
    };
  }
  if (error instanceof Problem) {
    return {
      title: titleOf(error),
      detail: isOfPath(error) ? error.message.replace(/^\{\w+\}: /, "") : error.message,
      pointer: isOfPath(error) ? undefined : error.pointer,
      again: error.status === 0 || error.status >= 500 || error.status === 429,
    };
  }
  return {
    title: "Something went wrong",
    detail: error instanceof Error ? error.message : String(error),
    again: true,
  };
}
