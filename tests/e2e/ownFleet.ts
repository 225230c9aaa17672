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

/** Slugs of links: to a fleet that is no longer public, and to redefined figures. */
export const savedLinks = () => made<{ narrowed: string; redefined: string }>("saved_links.py");

function made<T>(script: string): T {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const printed = execFileSync(
    join(__dirname, "../../.venv/bin/python"),
    [join(__dirname, script), ADDRESS],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: "utf8" },
  );
  return JSON.parse(printed) as T;
}

export function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  return context.addCookies([{ name, value, url: ADDRESS }]);
}
