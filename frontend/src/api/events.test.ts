import { describe, expect, it } from "vitest";
import { readQuestion } from "../links/question";
import { parseSearch } from "../links/search";
import { parseSides } from "../links/sides";
import { eventsAddress } from "./events";

describe("the address of a page's new runs", () => {
  it("has the page's filters, and nothing of how it groups", () => {
    const question = readQuestion(
      "metric=m&by=storage&relative_to=encryption:none&where=label:a b:c&flagged=include&weight=run",
    );
    expect(eventsAddress(question, "2026-11-21T10:00:00+00:00")).toBe(
      "/api/v1/events?flagged=include&metric=m&since=2026-11-21T10:00:00%2B00:00&where=label:a%20b:c",
    );
  });
  it("has a comparison's sides, and not what they are called", () => {
    const text = "metric=m&side=1:storage:usb4&side=2:&label=1:mine&baseline=2";
    const sides = parseSides(parseSearch(text));
    expect(eventsAddress(sides, "")).toBe(
      "/api/v1/events?metric=m&side=1:storage:usb4&side=2:&version=2",
    );
  });
});
