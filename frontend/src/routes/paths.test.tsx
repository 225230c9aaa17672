import { expect, it } from "vitest";
import paths from "./paths.json";
import { router } from "./router";

// The server answers 404 for any other address, even one of an unlisted page.
it("lists the router's pages for the server", () => {
  const routed = Object.values(router.routesByPath).map((route) => route.fullPath);
  expect(paths.toSorted()).toEqual([...new Set<string>(routed)].toSorted());
});
