import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";

/** What has a page of its own with headline figures. */
export type Kind = "chips" | "models" | "machines";

/** The chips or models that somebody measured. */
export function thingsQuery(kind: "chips" | "models") {
  return queryOptions({
    queryKey: ["things", kind],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v1/things/{kind}", { params: { path: { kind } }, signal })),
  });
}

/** One of them, or a Mac, with its figures among those of others. */
export function thingQuery(kind: Kind, slug: string) {
  return queryOptions({
    queryKey: ["thing", kind, slug],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/things/{kind}/{slug}", { params: { path: { kind, slug } }, signal }),
      ),
  });
}
