import { read, inPath } from "./client";

/** Kinds of things that have a page with headline figures. */
export type Kind = "chips" | "models" | "machines";

/** The chips or models with results. */
export function thingsQuery(kind: "chips" | "models") {
  return read(["things", kind], "/api/v1/things/{kind}", inPath({ kind }));
}

/** A chip, model or Mac, with its figures compared with others. */
export function thingQuery(kind: Kind, slug: string) {
  return read(["thing", kind, slug], "/api/v1/things/{kind}/{slug}", inPath({ kind, slug }));
}
