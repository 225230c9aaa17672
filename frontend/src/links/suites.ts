/** The page that answers questions about a suite's metrics. */
const PATHS = {
  disk: "/storage",
  hash: "/storage",
  compression: "/threads",
  cores: "/cores",
  power: "/power",
  workload: "/workloads",
} as const;

/** None for a suite without a page, such as other tools' scores. */
export function suitePath(suite: string): (typeof PATHS)[keyof typeof PATHS] | undefined {
  return PATHS[suite as keyof typeof PATHS];
}
