import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";

/** Kinds of things that have a page with headline figures. */
export type Kind = "chips" | "models" | "machines";

/** The chips or models with results. */
export function thingsQuery(kind: "chips" | "models") {
  return queryOptions({
    queryKey: ["things", kind],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/things/{kind}", { params: { path: { kind } }, signal })),
  });
}

/** A chip, model or Mac, with its figures compared with others. */
export function thingQuery(kind: Kind, slug: string) {
  return queryOptions({
    queryKey: ["thing", kind, slug],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/things/{kind}/{slug}", { params: { path: { kind, slug } }, signal }),
      ),
  });
}
