import type {
  Act,
  FleetLink,
  RetentionEffect,
  RetentionPolicy,
  Visibility,
} from "../../api/fleetSettings";
import { counted, day, shortId } from "../../ui/format";

/** Who can see a fleet's runs. */
export const SHOWN_TO: Record<Visibility, { name: string; about: string }> = {
  private: { name: "Private", about: "Only the people in this fleet see its Macs and runs." },
  members: {
    name: "This server’s members",
    about: "Everybody with an account on this server sees them, as viewers do.",
  },
  public: {
    name: "Public",
    about: "Everybody sees the runs. They count in public figures, under CC0 1.0.",
  },
};

/** Text for the actions in the audit log. */
const ACTS: Record<string, string> = {
  "fleet.create": "Created the fleet",
  "fleet.rename": "Renamed the fleet",
  "fleet.visibility": "Changed who sees the fleet",
  "fleet.verify": "Changed whether the fleet is verified",
  "fleet.delete": "Deleted the fleet",
  "member.role": "Changed a role",
  "member.remove": "Removed a person",
  "secret.create": "Created an enrolment secret",
  "secret.revoke": "Revoked an enrolment secret",
  "device.rotate": "Renewed a Mac’s token",
  "device.revoke": "Revoked a Mac’s token",
  "token.renew": "Renewed its own token",
  "machine.enrol": "Enrolled a Mac",
  "machine.change": "Changed a Mac",
  "machine.move": "Moved a Mac to another fleet",
  "machine.join": "Received a Mac from another fleet",
  "machine.merge": "Merged two ids of one Mac",
  "machine.part": "Took back a merge of two ids",
  "machine.retire": "Retired a Mac",
  "machine.delete": "Deleted a Mac with all runs",
  "run.delete": "Deleted runs",
  "run.withdraw": "Withdrew a run",
  "run.reinstate": "Reinstated runs",
  "run.quarantine": "Set a run aside for review",
  "run.move": "Moved runs to another fleet",
  "run.publish": "Published runs",
  "uploader.make": "Created an uploader token",
  "fleet.policy": "Changed what counts as a problem",
  "alert.acknowledge": "Acknowledged an alert",
  "alert.reopen": "Reopened an alert",
  "address.add": "Added an address for alerts",
  "address.delete": "Deleted an address for alerts",
  "alert.mute": "Muted an alert",
  "alert.unmute": "Unmuted an alert",
  "alert.assign": "Changed an alert’s owner",
  "alert.comment": "Commented on an alert",
  "webhook.add": "Added a webhook",
  "webhook.delete": "Deleted a webhook",
  "invitation.make": "Invited somebody",
  "invitation.accept": "Joined by an invitation",
  "invitation.revoke": "Revoked an invitation",
  "link.take_ids_out": "Took ids of runs out of a share link",
  "retention.set": "Changed how long runs are kept",
  "retention.sweep": "Put old runs aside",
  "retention.undo": "Brought old runs back",
  "retention.delete": "Deleted old runs",
  "retention.keep": "Kept old runs that a share link uses",
  "clone.settle": "Decided about a shared id",
};

/** What changed on Macs, if all changes were the same. */
const CHANGED: [key: string, value: boolean, words: string][] = [
  ["retired", true, "Retired a Mac"],
  ["retired", false, "Brought back a Mac"],
  ["barred", true, "Revoked a Mac"],
  ["barred", false, "Allowed a Mac to enrol again"],
];

/** An entry of the log in words; `details` say how many Macs it is about, and what changed. */
export function wordsOfAct(action: string, details: Record<string, unknown> = {}): string {
  const { machine_ids: ids, renamed, labels } = details;
  const macs = Array.isArray(ids) ? ids.length : 1;
  const changed = CHANGED.find(([key, value]) => details[key] === value)?.[2];
  const naming = typeof renamed === "number" ? "Named a Mac" : undefined;
  const labelled = isRecord(labels) ? `Labelled a Mac ${labelsInWords(labels)}` : undefined;
  const words =
    (action === "machine.change" ? (changed ?? naming ?? labelled) : undefined) ??
    ACTS[action] ??
    action;
  return macs === 1 ? words : words.replace("a Mac", counted(macs, "Mac"));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** "rack B, no floor": what labels are now. */
function labelsInWords(labels: Record<string, unknown>): string {
  return Object.entries(labels)
    .map(([key, value]) => (typeof value === "string" ? `${key} ${value}` : `no ${key}`))
    .join(", ");
}

/** A fleet's retention policy in words. */
export function policyInWords({ days, keep, keep_linked }: RetentionPolicy): string {
  const old = `After ${counted(days, "day")}`;
  if (keep === "medians") return `${old} samples and traces are deleted, and medians stay.`;
  return `${old} runs are deleted${keep_linked ? " unless a share link uses them" : ""}.`;
}

/**
 * A policy's effect: "This deletes 12,402 runs of 214 Macs. 31 links keep their figures, with 40
 * runs."
 */
export function effectInWords(effect: RetentionEffect, { keep }: RetentionPolicy): string {
  const { runs, machines, links_kept, runs_kept, links_lost } = effect;
  if (runs === 0 && links_kept === 0) return "No run is so old yet.";
  const runCount = counted(runs, "run");
  const what = keep === "medians" ? `the samples and traces of ${runCount}` : runCount;
  const sentences = [`This deletes ${what} of ${counted(machines, "Mac")}.`];
  if (links_kept > 0) {
    const [keeps, rest] =
      links_kept === 1 ? ["keeps its", "it rests"] : ["keep their", "they rest"];
    sentences.push(
      `${counted(links_kept, "share link")} ${keeps} figures: ${counted(runs_kept, "run")} that ${rest} on ${runs_kept === 1 ? "stays" : "stay"}.`,
    );
  }
  if (links_lost > 0) {
    sentences.push(
      `${counted(links_lost, "share link")} will lose ${links_lost === 1 ? "its" : "their"} figures.`,
    );
  }
  if (runs > 0) {
    sentences.push(
      keep === "medians"
        ? "Pages of runs show no samples then. You can undo it for 7 days."
        : "Answers leave them out at once. You can undo it for 7 days.",
    );
  }
  return sentences.join(" ");
}

const SHOWS: Record<FleetLink["shows"], string> = {
  everything: "shows all figures",
  some: "shows some figures",
  nothing: "closed to readers",
};

/** "Saved on 3 May 2026 · 4 figures with your Macs · names 12 runs · shows all figures" */
export function linkInWords(link: FleetLink): string {
  const facts = [`Saved on ${day(link.created_at)}`];
  if (link.on_purpose) facts.push("shared by an admin");
  if (link.figures > 0) facts.push(`${counted(link.figures, "figure")} with your Macs`);
  if (link.run_ids > 0) facts.push(`names ${counted(link.run_ids, "run")}`);
  return [...facts, SHOWS[link.shows]].join(" · ");
}

/** Ids of the Macs that an entry of the audit log is about. */
export function macsOf({
  machine_id: single,
  machine_ids: several,
}: Record<string, unknown>): string[] {
  return (Array.isArray(several) ? several : [single]).filter((id) => typeof id === "string");
}

/** The names of Macs that were deleted or moved away, by id; entries come newest first. */
export function goneIn(items: readonly Pick<Act, "action" | "details" | "names">[]) {
  const last = new Map<string, string | null>();
  for (const { action, details, names } of items) {
    if (!["machine.delete", "machine.move", "machine.join"].includes(action)) continue;
    for (const id of macsOf(details)) {
      const name = action === "machine.join" ? null : (names[id] ?? shortId(id));
      if (!last.has(id)) last.set(id, name);
    }
  }
  return Object.fromEntries([...last].filter((pair): pair is [string, string] => pair[1] !== null));
}
