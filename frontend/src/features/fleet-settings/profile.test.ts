// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import costs from "../../api/suiteCosts.json";
import { costInWords, mobileconfig, type Profile, type Suite, SUITES } from "./profile";

const EXAMPLE = join(import.meta.dirname, "../../../../agent/Packaging/macmeter.mobileconfig");

const PLAN = { schedule: "week", suites: ["disk"], isQuick: false, limit: null } as const;

const PROFILE: Profile = {
  ...PLAN,
  suites: ["disk", "cores"],
  limit: 60,
  server: "https://macs.example.org",
  fleet: { id: "0193a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b", name: "R&D <Oslo>" },
  secret: "mms_secret",
};

function read(xml: string) {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  expect(document.querySelector("parsererror")).toBeNull();
  const entries = (element: Element | null) =>
    new Map(
      Array.from(element?.querySelectorAll(":scope > key") ?? [], (key) => [
        key.textContent,
        key.nextElementSibling,
      ]),
    );
  const outer = entries(document.querySelector("plist > dict"));
  const inner = entries(outer.get("PayloadContent")?.querySelector(":scope > dict") ?? null);
  return { outer, inner };
}

it("has the preferences that the agent's own example has, except those of a single Mac", () => {
  const { outer, inner } = read(mobileconfig(PROFILE));
  const example = read(readFileSync(EXAMPLE, "utf8"));
  expect([...outer.keys()].toSorted()).toEqual([...example.outer.keys()].toSorted());
  const keys = [...example.inner.keys()].filter((key) => key !== "name" && key !== "labels");
  expect([...inner.keys()].toSorted()).toEqual(keys.toSorted());
  expect(outer.get("PayloadDisplayName")?.textContent).toBe("Macmeter: R&D <Oslo>");
  expect(inner.get("server")?.textContent).toBe("https://macs.example.org");
  expect(Array.from(inner.get("suites")?.children ?? [], (suite) => suite.textContent)).toEqual([
    "disk",
    "cores",
  ]);
  expect(inner.get("quick")?.tagName).toBe("false");
  expect(inner.get("bytes_per_week")?.textContent).toBe("60GB");
});

it("has a secret only if one was asked for, and other UUIDs each time", () => {
  const [first, second] = [mobileconfig(PROFILE), mobileconfig({ ...PROFILE, secret: null })].map(
    read,
  );
  expect(first?.inner.get("secret")?.textContent).toBe("mms_secret");
  expect(second?.inner.has("secret")).toBe(false);
  expect(second?.inner.has("accept")).toBe(false);
  const uuids = [first, second].flatMap((profile) =>
    [profile?.outer, profile?.inner].map((part) => part?.get("PayloadUUID")?.textContent),
  );
  expect(new Set(uuids).size).toBe(4);
  for (const uuid of uuids) expect(uuid).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
});

it("says what a week costs, and when a limit prevents it", () => {
  const run = Math.round(costs.disk.full.bytes / 1e9);
  expect(costInWords({ ...PLAN, suites: ["disk"] })).toContain(`a Mac writes ${run} GB and`);
  const daily = { ...PLAN, suites: ["disk" as const], schedule: "day" as const };
  expect(costInWords({ ...daily, limit: run + 1 })).toContain("skipped until Monday");
  expect(costInWords({ ...daily, limit: 1 })).toContain("nothing would be measured");
  expect(costInWords({ ...PLAN, suites: ["cores"], limit: 1 })).toContain("writes nothing");
  const [alone, both] = [["compress"], ["cores", "compress"]].map((suites) =>
    costInWords({ ...PLAN, suites: suites as Suite[] }),
  );
  expect(alone).not.toContain("for about");
  expect(both).toContain(
    `for about ${Math.round(costs.cores.full.seconds / 60)} minutes, longer if it is slow. How long`,
  );
  expect(Object.keys(costs).toSorted()).toEqual([...SUITES].toSorted());
});
