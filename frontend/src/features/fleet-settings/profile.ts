import costs from "../../api/suiteCosts.json";

/** What runs measure when nobody is there; the file has what each costs a Mac. */
export const SUITES = ["disk", "hash", "compress", "cores", "power"] as const;
export type Suite = (typeof SUITES)[number];

/** A fleet's wishes for its Macs. */
export interface Wishes {
  schedule: "day" | "week";
  suites: Suite[];
  isQuick: boolean;
  /** Gigabytes that runs may write in a week; null without a limit. */
  limit: number | null;
}

/** `seconds` is missing where it depends on the chip. */
const COSTS: Record<Suite, Record<"full" | "quick", { bytes: number; seconds?: number }>> = costs;

const inGigabytes = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(0)} GB`;

const inMinutes = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;

/** "Each week, a Mac writes 27 GB and measures for …" For its internal storage. */
export function costInWords(wishes: Wishes): string {
  const each = wishes.suites.map((suite) => COSTS[suite][wishes.isQuick ? "quick" : "full"]);
  const bytes = each.reduce((sum, cost) => sum + cost.bytes, 0);
  const timed = each.flatMap(({ seconds }) => seconds ?? []);
  const runs = wishes.schedule === "day" ? 7 : 1;
  const writes = bytes > 0 ? `writes ${inGigabytes(runs * bytes)}` : "writes nothing to its drive";
  const seconds = runs * timed.reduce((sum, one) => sum + one, 0);
  const measures =
    timed.length > 0 ? ` and measures for about ${inMinutes(seconds)}, longer if it is slow` : "";
  const compresses =
    timed.length < each.length ? " How long compression takes depends on the chip." : "";
  const sentence = `Each week, a Mac ${writes}${measures}.${compresses}`;
  const limit = wishes.limit === null ? Infinity : wishes.limit * 1e9;
  if (bytes > limit)
    return `${sentence} The limit is too low for a single run: nothing would be measured.`;
  if (runs * bytes > limit) return `${sentence} Runs beyond the limit are skipped until Monday.`;
  return sentence;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const string = (text: string) => `<string>${escaped(text)}</string>`;
const boolean = (value: boolean) => (value ? "<true/>" : "<false/>");

/** A random UUID; browsers make one themselves only on HTTPS. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-").toUpperCase();
}

export interface Profile extends Wishes {
  server: string;
  fleet: { id: string; name: string };
  /** Lets whoever reads the profile enrol Macs; null leaves it out. */
  secret: string | null;
}

/**
 * A configuration profile for macOS (docs/fleet-deployment.md). A newer one of the same fleet
 * replaces it: both have the same identifier.
 */
export function mobileconfig({ server, fleet, secret, ...wishes }: Profile): string {
  const identifier = `org.macmeter.fleet.${fleet.id}`;
  const payload = (type: string, id: string, name: string): [string, string][] => [
    ["PayloadType", string(type)],
    ["PayloadVersion", "<integer>1</integer>"],
    ["PayloadIdentifier", string(id)],
    ["PayloadUUID", string(uuid())],
    ["PayloadDisplayName", string(name)],
  ];
  const preferences: [string, string][] = [
    ...payload("org.macmeter.agent", `${identifier}.preferences`, "Macmeter preferences"),
    ["server", string(server)],
    ...(secret === null
      ? []
      : ([
          ["secret", string(secret)],
          ["accept", boolean(true)],
        ] satisfies [string, string][])),
    ["schedule", string(wishes.schedule)],
    ["suites", `<array>${wishes.suites.map(string).join("")}</array>`],
    ["quick", boolean(wishes.isQuick)],
    ...(wishes.limit === null
      ? []
      : ([["bytes_per_week", string(`${wishes.limit}GB`)]] satisfies [string, string][])),
  ];
  const all: [string, string][] = [
    ...payload("Configuration", identifier, `Macmeter: ${fleet.name}`),
    ["PayloadDescription", string(`How Macs of ${fleet.name} measure themselves.`)],
    ["PayloadScope", string("System")],
    ["PayloadContent", `<array>\n${dictionary(preferences)}\n</array>`],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${dictionary(all)}
</plist>
`;
}

const dictionary = (entries: [string, string][]) =>
  `<dict>\n${entries.map(([key, value]) => `<key>${key}</key>${value}`).join("\n")}\n</dict>`;
