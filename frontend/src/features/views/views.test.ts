import { describe, expect, it } from "vitest";
import { printQuestion, readQuestion } from "../../links/question";
import { STORAGE } from "../storage/storage";
import { placeOf, TOPICS } from "./topics";
import { asked, orFirstView, viewIn } from "./view";

describe("the views of every topic", () => {
  it("are told from their questions, filtered or not", () => {
    for (const topic of TOPICS) {
      for (const view of topic.views) {
        const question = asked(view, readQuestion("where=storage:usb4&flagged=include"));
        const place = placeOf(readQuestion(printQuestion(question)));
        expect([place.topic.path, place.view?.id]).toEqual([topic.path, view.id]);
      }
    }
  });
  it("keep the reader's filters when they change, and no other view's fit", () => {
    for (const topic of TOPICS) {
      for (const view of topic.views) {
        const question = asked(
          view,
          readQuestion("metric=m&by=b&where=storage:usb4&fit=quadratic"),
        );
        expect(question.where).toHaveLength(1);
        expect(question.relativeTo).toEqual(view.preset.relativeTo);
        expect(question.fit).toBe(view.preset.fit);
      }
    }
  });
  it("begin with the topic's first", () => {
    const first = orFirstView(STORAGE, readQuestion("where=chip_family:M4"));
    expect(viewIn(STORAGE, first)?.id).toBe("cases");
    expect(orFirstView(STORAGE, readQuestion("metric=hash.sha256_speed")).metrics).toEqual([
      "hash.sha256_speed",
    ]);
  });
  it("leave other questions to the generic drawing", () => {
    expect(placeOf(readQuestion("metric=score.value&by=chip")).view).toBeUndefined();
  });
});
