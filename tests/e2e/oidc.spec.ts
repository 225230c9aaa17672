import { type Browser, expect, type Page, test } from "@playwright/test";
import { violations } from "./axe";

// Called by tests/e2e/test_oidc.py with a new server's link, and an identity provider.
const { BASE_URL = "", OIDC_LINK, OIDC_HOST = "", OIDC_PROVIDER = "" } = process.env;
const RETURN = `${BASE_URL}/api/v1/session/oidc/return`;

const somebody = async (browser: Browser) => (await browser.newContext()).newPage();

/** Sign in at the provider's own page. */
async function logIn(page: Page, name: string): Promise<void> {
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("x");
  await page.locator("button[type=submit]").click();
  await expect(page.locator("input[name=login]")).toHaveCount(0);
}

const email = (page: Page) =>
  page.getByRole("region", { name: "Name and email" }).getByLabel("Email");

const agree = (page: Page) => page.locator("button[type=submit]").click();

async function begin(page: Page): Promise<void> {
  await page.goto(`${BASE_URL}/sign-in`);
  await page.getByRole("button", { name: `Sign in with ${OIDC_HOST}` }).click();
}

/** Return address that the provider sends a browser to, without going there. */
async function sentBack(page: Page, name: string): Promise<string> {
  await begin(page);
  await logIn(page, name);
  const action = (await page.locator("form").getAttribute("action")) ?? "";
  const consent = { form: { prompt: "consent" }, maxRedirects: 0 };
  let answer = await page.request.post(new URL(action, page.url()).href, consent);
  for (let step = 0; step < 5; step++) {
    const to = new URL(answer.headers().location ?? "", answer.url()).href;
    if (to.startsWith(RETURN)) return to;
    answer = await page.request.get(to, { maxRedirects: 0 });
  }
  throw new Error("The provider never came to an end.");
}

async function isRefused(page: Page, says: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(says);
  const session = await page.request.get(`${BASE_URL}/api/v1/session`);
  expect(((await session.json()) as { person: unknown }).person).toBeNull();
  expect(await violations(page)).toEqual([]);
}

test("an organisation's own sign-in, and a page in words for what can go wrong", async ({
  page,
  browser,
}) => {
  test.skip(!OIDC_LINK, "needs a provider and the link of a new server");
  await page.goto(OIDC_LINK ?? "");
  await page.getByRole("button", { name: `Continue with ${OIDC_HOST}` }).click();
  await logIn(page, "ada");
  await agree(page);
  await expect(page.getByRole("heading", { name: "ada Example" })).toBeVisible();
  await expect(page).toHaveURL(`${BASE_URL}/you`);
  await expect(email(page)).toHaveValue("ada@example.org");
  expect(await page.evaluate(() => document.cookie), "no script reads the session").toBe("");

  // Invited, with an unverified email address: the address is not taken over.
  const link = await page.evaluate(async () => {
    const made = await fetch("/api/v1/invitations", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ role: "admin" }),
    });
    return ((await made.json()) as { link: string }).link;
  });
  const vera = await somebody(browser);
  await vera.goto(link);
  await vera.getByRole("button", { name: `Continue with ${OIDC_HOST}` }).click();
  await logIn(vera, "newvera");
  await agree(vera);
  await expect(vera.getByRole("heading", { name: "newvera Example" })).toBeVisible();
  await expect(email(vera)).toHaveValue("");
  await expect(vera.getByText("It sent no address that it has verified")).toBeVisible();

  // Known by now: signs in without a link, and returns to the intended page.
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await begin(page);
  await expect(page.getByRole("banner").getByRole("link", { name: "ada Example" })).toBeVisible();

  const eve = await somebody(browser);
  await begin(eve);
  await logIn(eve, "eve");
  await agree(eve);
  await isRefused(eve, "You have no account here yet");

  const unwilling = await somebody(browser);
  await begin(unwilling);
  await logIn(unwilling, "ada");
  await unwilling.getByRole("link", { name: /Cancel/ }).click();
  await isRefused(unwilling, "Your organisation didn’t confirm who you are");

  // Made up, without a state, in another browser, and twice.
  const victim = await somebody(browser);
  await victim.goto(`${RETURN}?state=AAAA&code=x`);
  await isRefused(victim, "took too long, or was already done");
  await victim.goto(`${RETURN}?error=server_error`);
  await isRefused(victim, "took too long, or was already done");
  const attacker = await somebody(browser);
  const planted = await sentBack(attacker, "ada");
  await victim.goto(planted);
  await isRefused(victim, "began in another browser");
  await attacker.goto(planted);
  await isRefused(attacker, "took too long, or was already done");

  const late = await somebody(browser);
  const unheard = await sentBack(late, "ada");
  process.kill(Number(OIDC_PROVIDER), "SIGKILL");
  await late.goto(unheard);
  await isRefused(late, "Your organisation’s sign-in doesn’t answer");
});
