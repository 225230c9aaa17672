import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type BrowserContext, test } from "@playwright/test";

const ADDRESS = process.env.BASE_URL ?? "";

export interface OwnFleet {
  name: string;
  /** Sessions' cookies. */
  admin: string;
  viewer: string;
}

/** A private fleet of Macs that an update slowed, on the server of the tests. */
export function fleetOfMacs(): OwnFleet {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const made = execFileSync(
    join(__dirname, "../../.venv/bin/python"),
    [join(__dirname, "fleet_of_macs.py"), ADDRESS],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: "utf8" },
  );
  return JSON.parse(made) as OwnFleet;
}

export function signIn(context: BrowserContext, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  return context.addCookies([{ name, value, url: ADDRESS }]);
}
