import type { RunDetail } from "../api/types";
import { moment } from "./format";
import { Notice } from "./Notice";

/** Notice on a withdrawn run, which stays readable, with the reason. */
export function WithdrawnNotice({ withdrawn }: { withdrawn: NonNullable<RunDetail["withdrawn"]> }) {
  return (
    <Notice title="This run was withdrawn">
      <p>
        <bdi>{withdrawn.reason}</bdi>
      </p>
      <p className="quiet">
        By {withdrawerOf(withdrawn)} on {moment(withdrawn.at)}.{" "}
        {withdrawn.by === "retention"
          ? "No answer counts it any more. It is deleted for good a week later."
          : "It is no longer part of any answer; comparisons saved earlier keep its figures and say so."}
      </p>
    </Notice>
  );
}

export function withdrawerOf({ by }: NonNullable<RunDetail["withdrawn"]>): string {
  const of = {
    owner: "its owner",
    server: "the server’s admin",
    quarantine: "this server",
    retention: "its fleet, which keeps no older runs,",
  };
  return of[by];
}
