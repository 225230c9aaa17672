import { beforeEach, describe, expect, it } from "vitest";
import { forgetSecret, keepSecret, keptLinks, printLinks, readLinks, secretOf } from "./secrets";

const LINKS = [
  { slug: "abcdefgh23", secret: "mmo_abcdefgh-_12345678" },
  { slug: "xyzxyzxy45", secret: "mmo_zyxwvuts-_12345678" },
];

beforeEach(() => localStorage.clear());

describe("the secrets that a browser keeps", () => {
  it("are listed without what else is stored there", () => {
    localStorage.setItem("macmeter.appearance", "dark");
    for (const { slug, secret } of LINKS.toReversed()) keepSecret(slug, secret);
    expect(keptLinks()).toEqual(LINKS);
    forgetSecret("abcdefgh23");
    expect(keptLinks()).toEqual(LINKS.slice(1));
    expect(secretOf("abcdefgh23")).toBeUndefined();
  });

  it("move to another browser as a file", () => {
    expect(readLinks(printLinks(LINKS))).toEqual(LINKS);
  });

  it.each([
    ["nothing", "", /not JSON/],
    ["a list", "[]", /not a list of links/],
    ["another version", '{"format":"macmeter.links/2","links":[]}', /macmeter\.links\/1/],
    ["no secret", '{"format":"macmeter.links/1","links":[{"slug":"abc"}]}', /Link 1 .* no secret/],
    [
      "markup for a slug",
      '{"format":"macmeter.links/1","links":[{"slug":"<b>","secret":"mmo_abcdefgh12"}]}',
      /no slug/,
    ],
  ])("are not taken from %s", (_, text, message) => {
    expect(() => readLinks(text)).toThrow(message);
  });
});
