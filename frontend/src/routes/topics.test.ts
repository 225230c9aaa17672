import { describe, expect, it } from "vitest";
import { printQuestion, readQuestion } from "../links/question";
import { STORAGE } from "../features/storage/storage";
import { TOPICS } from "./topics";
import { topicOf } from "../questions/reasked";
import { asked, placeOf, questionsOf, started, viewIn } from "../questions/view";

describe("the views of every topic", () => {
  it("are recognised by their questions, filtered or not", () => {
    for (const topic of TOPICS) {
      for (const view of topic.views) {
        const question = asked(view, readQuestion("where=storage:usb4&flagged=include"));
        const place = placeOf(TOPICS, readQuestion(printQuestion(question)));
        expect([place.topic.path, place.view?.id]).toEqual([topic.path, view.id]);
      }
    }
  });
  it("keep the reader's filters when they change, and no fit", () => {
    for (const topic of TOPICS) {
      for (const view of topic.views) {
        const question = asked(
          view,
          readQuestion("metric=m&by=b&where=chip_family:M4&fit=quadratic"),
        );
        expect(question.where).toHaveLength(1 + (view.needs?.length ?? 0));
        expect(question.relativeTo).toEqual(view.preset.relativeTo);
        expect(question.fit).toBeUndefined();
      }
    }
  });
  it("take what they need with them, and leave nothing of it behind", () => {
    const of = (id: string) => STORAGE.views.find((view) => view.id === id) ?? STORAGE.views[0];
    const [start] = questionsOf(STORAGE, readQuestion(""), undefined);
    expect(printQuestion(start)).toContain("where=storage!:disk_image");
    const images = asked(of("images"), start, STORAGE);
    expect(printQuestion(images)).toContain("where=storage:disk_image");
    expect(printQuestion(asked(of("cases"), images, STORAGE))).not.toContain("storage:disk_image");
  });
  it("begin with what most machines have, and with nothing that the reader filters", () => {
    const question = readQuestion("metric=m&where=chip:Apple M1");
    const fixed = [
      { dimension: "chip", value: "Apple M4" },
      { dimension: "via", value: null },
      { dimension: "threads", value: 4 },
    ];
    expect(printQuestion(started(question, { fixed }))).toBe(
      "metric=m&where=chip:Apple%20M1&where=threads:4&where=via:",
    );
  });
  it("drop filters that a view's metrics do not have", () => {
    const question = readQuestion("metric=disk.write_speed&by=file_size&where=file_size:2000000");
    const next = asked(STORAGE.views[0], question, STORAGE, (name) => name !== "file_size");
    expect(next.where).toEqual(STORAGE.views[0].needs);
  });
  it("are asked in turn where an address names none", () => {
    const all = questionsOf(STORAGE, readQuestion("where=chip_family:M4"), undefined);
    expect(all.map((question) => viewIn(STORAGE, question)?.id)).toEqual(
      STORAGE.views.map(({ id }) => id),
    );
    const own = questionsOf(STORAGE, readQuestion("metric=hash.sha256_speed"), "sizes");
    expect(own.map(({ metrics }) => metrics)).toEqual([["hash.sha256_speed"]]);
    const named = questionsOf(STORAGE, readQuestion(""), "docks");
    expect(named.map((question) => viewIn(STORAGE, question)?.id)).toEqual(["docks"]);
  });
  it("leave other questions to the generic drawing", () => {
    expect(placeOf(TOPICS, readQuestion("metric=score.value&by=chip")).view).toBeUndefined();
  });
});

it("a metric is at home with its own subject, from whichever page it is picked", () => {
  const homes = (metric: string) =>
    new Set(TOPICS.map((current) => topicOf(TOPICS, metric, current)?.path));
  for (const metric of ["disk.write_average", "disk.read_average", "disk.quick_read_average"]) {
    expect(homes(metric)).toEqual(new Set(["/storage"]));
  }
  expect(homes("compression.speed")).toEqual(new Set(["/threads"]));
  expect(homes("cores.loop_rate")).toEqual(new Set(["/cores"]));
  expect(homes("energy.per_thread")).toEqual(new Set(["/power"]));
});
