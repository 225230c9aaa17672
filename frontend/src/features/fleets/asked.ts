import type { Amiss, MachinesAsked, Only } from "../../api/fleets";
import { parseClause } from "../../links/clause";
import type { SearchLists } from "../../links/search";

export const PAGE = 50;

/** Problems that a Mac may have, in words. */
export const AMISS: Record<Amiss, string> = {
  silent: "Silent",
  old_agent: "Agent out of date",
  no_filevault: "FileVault off",
  never_uploaded: "Never uploaded",
};

/** What the list may be limited to. */
export const ONLY: Record<Only, string> = { ...AMISS, retired: "Retired" };

type Sort = NonNullable<MachinesAsked["sort"]>;

export const COLUMNS: readonly { sort: Sort; title: string }[] = [
  { sort: "model", title: "Mac" },
  { sort: "last_upload", title: "Last upload" },
  { sort: "os_version", title: "macOS" },
  { sort: "chip", title: "Chip" },
  { sort: "storage", title: "Storage" },
  { sort: "encryption", title: "Encryption" },
  { sort: "agent_version", title: "Agent" },
  { sort: "runs", title: "Runs" },
];

/** Filter of the group that an address is about, such as `label:rack:B`; empty for the fleet. */
export function groupAsked({ where = [] }: SearchLists): string {
  return where.find((text) => text.startsWith("label:") && parseClause(text)?.op === "is") ?? "";
}

/** A group in words: "rack: B". Empty for the whole fleet. */
export function groupWords(where: string): string {
  const clause = parseClause(where);
  return clause ? `${clause.dimension.replace(/^label:/, "")}: ${clause.value}` : "";
}

/** The machine list's query from the address; invalid values are ignored. */
export function machinesAsked(search: SearchLists): MachinesAsked {
  const only = Object.keys(ONLY).find((name) => name === search.only?.[0]) as Only | undefined;
  const sort = COLUMNS.find((column) => column.sort === search.sort?.[0])?.sort ?? "last_upload";
  const from = Number(search.from?.[0] ?? 0);
  const q = search.q?.[0]?.slice(0, 200);
  const where = groupAsked(search);
  return {
    sort,
    descending: search.order?.[0] === "descending",
    limit: PAGE,
    ...(Number.isInteger(from) && from > 0 && from <= 1e6 ? { offset: from } : {}),
    ...(only ? { only } : {}),
    ...(q ? { q } : {}),
    ...(where ? { where } : {}),
  };
}

/** Sort by this column; reverse the order if already sorted by it. */
export function sorted(search: SearchLists, by: string): SearchLists {
  const { from: _from, order: _order, ...filters } = search;
  const { sort, descending } = machinesAsked(search);
  const turned = sort === by && !descending;
  return { ...filters, sort: [by], ...(turned ? { order: ["descending"] } : {}) };
}
