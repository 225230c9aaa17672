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
          readQuestion("metric=m&by=b&where=chip_family:M4&fit=quadratic"),
        );
        expect(question.where).toHaveLength(1 + (view.needs?.length ?? 0));
        expect(question.relativeTo).toEqual(view.preset.relativeTo);
        expect(question.fit).toBe(view.preset.fit);
      }
    }
  });
  it("take what they need with them, and leave nothing of it behind", () => {
    const of = (id: string) => STORAGE.views.find((view) => view.id === id) ?? STORAGE.views[0];
    const start = orFirstView(STORAGE, readQuestion(""));
    expect(start.where.map(({ dimension }) => dimension)).toEqual(["via"]);
    const images = asked(of("images"), start, STORAGE);
    expect(printQuestion(images)).toContain("where=storage:disk_image");
    expect(printQuestion(asked(of("cases"), images, STORAGE))).not.toContain("disk_image");
    // Grouped by what is in the way, a filter that nobody chose would leave one group.
    expect(asked(of("docks"), start, STORAGE).where.map(({ dimension }) => dimension)).toEqual([
      "storage",
    ]);
  });
  it("drop filters that a view's metrics do not have", () => {
    const question = readQuestion("metric=disk.write_speed&by=file_size&where=file_size:2000000");
    const next = asked(STORAGE.views[0], question, STORAGE, (name) => name !== "file_size");
    expect(next.where).toEqual([]);
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
