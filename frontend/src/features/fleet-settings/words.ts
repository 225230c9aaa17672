import type { Visibility } from "../../api/fleetSettings";

/** Who reads a fleet's runs. */
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

/** What was done, of what the audit log names. */
const ACTS: Record<string, string> = {
  "fleet.create": "Created the fleet",
  "fleet.rename": "Renamed the fleet",
  "fleet.visibility": "Changed who sees the fleet",
  "fleet.delete": "Deleted the fleet",
  "member.role": "Changed a role",
  "member.remove": "Removed a person",
  "secret.create": "Created an enrolment secret",
  "secret.revoke": "Revoked an enrolment secret",
  "device.rotate": "Renewed a Mac’s token",
  "device.revoke": "Revoked a Mac’s token",
  "machine.enrol": "Enrolled a Mac",
  "machine.change": "Changed a Mac",
  "machine.move": "Moved a Mac to another fleet",
  "machine.join": "Received a Mac from another fleet",
  "machine.retire": "Retired a Mac",
  "machine.delete": "Deleted a Mac and its runs",
  "clone.settle": "Settled a shared id",
};

export const wordsOfAct = (action: string) => ACTS[action] ?? action;
