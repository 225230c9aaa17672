import { expect, test } from "vitest";
import { browserName } from "./browserName";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";

test.each([
  [
    `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    "Safari on macOS",
  ],
  [`${MAC} AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36`, "Chrome on macOS"],
  [`${MAC} AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, "Edge on macOS"],
  ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["curl/8", "Another browser"],
])("%s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
