import costs from "../../api/suiteCosts.json";

/** Suites that can run unattended. `suiteCosts.json` has what each costs a Mac. */
export const SUITES = ["disk", "hash", "compress", "cores", "power"] as const;
export type Suite = (typeof SUITES)[number];

/** When and what a fleet's Macs measure. */
export interface MeasuringPlan {
  schedule: "day" | "week";
  suites: Suite[];
  isQuick: boolean;
  /** Gigabytes that runs may write in a week; null without a limit. */
  limit: number | null;
}

/** `seconds` is missing where it depends on the chip. */
const COSTS: Record<Suite, Record<"full" | "quick", { bytes: number; seconds?: number }>> = costs;

const sizeText = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(0)} GB`;

const durationText = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;

/** "Each week, a Mac writes 27 GB and measures for …": the cost on its internal storage. */
export function costInWords(plan: MeasuringPlan): string {
  const suiteCosts = plan.suites.map((suite) => COSTS[suite][plan.isQuick ? "quick" : "full"]);
  const bytes = suiteCosts.reduce((sum, cost) => sum + cost.bytes, 0);
  const timed = suiteCosts.flatMap(({ seconds }) => seconds ?? []);
  const runs = plan.schedule === "day" ? 7 : 1;
  const writes = bytes > 0 ? `writes ${sizeText(runs * bytes)}` : "writes nothing to its drive";
  const seconds = runs * timed.reduce((sum, duration) => sum + duration, 0);
  const measures =
    timed.length > 0
      ? ` and measures for about ${durationText(seconds)}, longer if it is slow`
      : "";
  const compresses =
    timed.length < suiteCosts.length ? " How long compression takes depends on the chip." : "";
  const sentence = `Each week, a Mac ${writes}${measures}.${compresses}`;
  const maxBytes = plan.limit === null ? Infinity : plan.limit * 1e9;
  if (bytes > maxBytes)
    return `${sentence} The limit is too low for a single run: nothing would be measured.`;
  if (runs * bytes > maxBytes) return `${sentence} Runs beyond the limit are skipped until Monday.`;
  return sentence;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const stringElement = (text: string) => `<string>${escaped(text)}</string>`;
const booleanElement = (value: boolean) => (value ? "<true/>" : "<false/>");

/** A random UUID; browsers make one themselves only on HTTPS. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-").toUpperCase();
}

export interface Profile extends MeasuringPlan {
  server: string;
  fleet: { id: string; name: string };
  /** Lets whoever reads the profile enrol Macs; null leaves it out. */
  secret: string | null;
}

/**
 * A configuration profile for macOS (docs/fleet-deployment.md). A newer one of the same fleet
 * replaces it: both have the same identifier.
 */
export function mobileconfig({ server, fleet, secret, ...plan }: Profile): string {
  const identifier = `org.macmeter.fleet.${fleet.id}`;
  const payload = (type: string, id: string, name: string): [string, string][] => [
    ["PayloadType", stringElement(type)],
    ["PayloadVersion", "<integer>1</integer>"],
    ["PayloadIdentifier", stringElement(id)],
    ["PayloadUUID", stringElement(uuid())],
    ["PayloadDisplayName", stringElement(name)],
  ];
  const preferences: [string, string][] = [
    ...payload("org.macmeter.agent", `${identifier}.preferences`, "Macmeter preferences"),
    ["server", stringElement(server)],
    ...(secret === null
      ? []
      : ([
          ["secret", stringElement(secret)],
          ["accept", booleanElement(true)],
        ] satisfies [string, string][])),
    ["schedule", stringElement(plan.schedule)],
    ["suites", `<array>${plan.suites.map(stringElement).join("")}</array>`],
    ["quick", booleanElement(plan.isQuick)],
    ...(plan.limit === null
      ? []
      : ([["bytes_per_week", stringElement(`${plan.limit}GB`)]] satisfies [string, string][])),
  ];
  const profile: [string, string][] = [
    ...payload("Configuration", identifier, `Macmeter: ${fleet.name}`),
    ["PayloadDescription", stringElement(`How Macs of ${fleet.name} measure themselves.`)],
    ["PayloadScope", stringElement("System")],
    ["PayloadContent", `<array>\n${dictionary(preferences)}\n</array>`],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${dictionary(profile)}
</plist>
`;
}

const dictionary = (entries: [string, string][]) =>
  `<dict>\n${entries.map(([key, value]) => `<key>${key}</key>${value}`).join("\n")}\n</dict>`;
