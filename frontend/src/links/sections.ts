/** A section of the Methods page. */
export interface Section {
  id: string;
  title: string;
}

/** The section for each suite. Separate from the page, whose text charts don't need. */
const SECTIONS: Record<string, Section> = {
  disk: { id: "disk", title: "Writing and reading files of many sizes" },
  hash: { id: "hash", title: "Hashing" },
  compression: { id: "compression", title: "Compression by threads" },
  cores: { id: "cores", title: "Inside the core" },
  power: { id: "power", title: "Power and frequency" },
  workload: { id: "workload", title: "Custom workloads" },
  score: { id: "imports", title: "Imports and scores" },
};

export function sectionOf(suite: string | undefined): Section {
  return SECTIONS[suite ?? ""] ?? { id: "every-run", title: "Every run" };
}
