import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type BrowserContext, test } from "@playwright/test";

const ADDRESS = process.env.BASE_URL ?? "";

export interface OwnFleet {
  name: string;
  /** Session cookies. */
  admin: string;
  viewer: string;
}

/** A private fleet of Macs that an update slowed, on the tests' server. */
export const fleetOfMacs = () => made<OwnFleet>("fleet_of_macs.py");

/** A fleet whose Macs measured 500 days ago and yesterday; `guest` has no rights to it. */
export const fleetOfYears = () =>
  made<OwnFleet & { other: string; guest: string }>("fleet_of_years.py");

/** A fleet whose alerts don't arrive; `root` administers the server. */
export const failingFleet = () =>
  made<{ name: string; root: string; admin: string }>("failing_fleet.py");

export interface PlantedFleet {
  name: string;
  macs: number;
  /** Session cookies, and headers of programs that may read, by role. */
  cookies: Record<"admin" | "viewer" | "stranger" | "server admin", string>;
  tokens: Record<"viewer" | "stranger", string>;
  /** Names of the Macs that are slow for a reason of their own. */
  slow: string[];
  /** Ids of Macs that an admin has retired and revoked. */
  retired: string;
  revoked: string;
  /** Macs with an older agent, and those that got macOS 26.4. */
  old: number;
  updated: number;
  /** Macs in two racks, half in each. */
  racked: number;
  /** Factors on the speed of writing. */
  update: number;
  edr: number;
  rack: number;
  filevault: number;
  ours: number;
}

/**
 * A private fleet of that many Macs, with people of each role; its differences are planted. With
 * `others` there are so many public Macs that differ from it, in a fleet of their own.
 */
export const plantedFleet = (macs: number, others = 0) =>
  made<PlantedFleet>("planted_fleet.py", String(macs), String(others));

export interface Mails {
  /** Links in the mails about every kind of alert, by whom they went to. */
  links: Record<"admin" | "viewer" | "team", string[]>;
  to: Record<"admin" | "viewer", string>;
  password: string;
  alerts: number;
}

/** Mails about every kind of alert of this fleet, sent to its people. */
export const mailsOfAlerts = (fleet: string) => made<Mails>("mails_of_alerts.py", fleet);

/** Slugs of links: to a fleet that is no longer public, and to redefined figures. */
export const savedLinks = () => made<{ narrowed: string; redefined: string }>("saved_links.py");

function made<T>(script: string, ...more: string[]): T {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const printed = execFileSync(
    join(__dirname, "../../.venv/bin/python"),
    [join(__dirname, script), ADDRESS, ...more],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: "utf8" },
  );
  return JSON.parse(printed) as T;
}

export function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  return context.addCookies([{ name, value, url: ADDRESS }]);
}
