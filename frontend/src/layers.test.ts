import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const FRONTEND = join(import.meta.dirname, "..");
const OXLINT = join(FRONTEND, "../node_modules/.bin/oxlint");
/**
 * Each layer may import those before it. Features are independent, and shared pages may use two of
 * them.
 */
const LAYERS = ["links", "api", "ui", "figures", "questions", "features", "views", "routes"];

const fileIn = (layer: string) => `${layer}/${layer === "features" ? "one/" : ""}planted`;

/** Planted imports: from which folder, of which one, and whether the linter must reject it. */
const PLANTED = [
  ...LAYERS.flatMap((from, low) =>
    LAYERS.map((to, high) => ({
      from: fileIn(from),
      to: `${fileIn(to)}-other`,
      wrong: high > low || (from === "views" && to === "features"),
    })),
  ),
  { from: "figures/charts/planted", to: "features/one/planted", wrong: true },
  { from: "features/one/planted", to: "features/two/planted", wrong: true },
  { from: "features/one/part/planted", to: "features/two/planted", wrong: true },
  { from: "features/one/part/planted", to: "features/one/planted", wrong: false },
  { from: "views/planted", to: "features/storage/planted", wrong: true },
  { from: "views/planted", to: "features/compare/planted", wrong: false },
  { from: "views/planted", to: "features/comparisons/part/planted", wrong: false },
];

const WAYS: ((path: string) => string)[] = [
  (path) => `import { it } from "${path}";\nexport const own = it;\n`,
  (path) => `import type { It } from "${path}";\nexport type Own = It;\n`,
  (path) => `export { it } from "${path}";\n`,
  (path) => `export { it } from "./${path}";\n`,
  (path) => `export const own = () => import("${path}");\n`,
  (path) => `import styles from "${path}.module.css";\nexport const own = styles;\n`,
];

describe("the linter holds the layers", () => {
  let folder = "";
  let refused = new Set<string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "macmeter-layers-"));
    await Promise.all(
      PLANTED.flatMap(({ from, to }, index) =>
        WAYS.map(async (importText, kind) => {
          const file = join(folder, "src", fileName(from, index, kind));
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, importText(relativePath(from, to)));
        }),
      ),
    );
    refused = await refusedIn(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(PLANTED)("$from → $to, wrong: $wrong", ({ from, to, wrong }) => {
    const index = PLANTED.findIndex((planted) => planted.from === from && planted.to === to);
    const refusals = WAYS.map((_, kind) => refused.has(fileName(from, index, kind)));
    expect(refusals).toEqual(WAYS.map(() => wrong));
  });

  it("and knows every folder that there is", () => {
    const folders = Object.keys(import.meta.glob("./*/**/*.{ts,tsx}")).map(
      (path) => path.split("/")[1],
    );
    expect([...new Set(folders)].toSorted()).toEqual(LAYERS.toSorted());
  });
});

const fileName = (from: string, index: number, kind: number) => `${from}-${index}-${kind}.ts`;

function relativePath(from: string, to: string): string {
  const fromFolders = dirname(from).split("/");
  const toFolders = to.split("/");
  let same = 0;
  while (fromFolders[same] === toFolders[same]) same += 1;
  const up = fromFolders.length - same;
  return `${up === 0 ? "./" : "../".repeat(up)}${toFolders.slice(same).join("/")}`;
}

/** The files in which oxlint refuses an import, by our own configuration. */
async function refusedIn(root: string): Promise<Set<string>> {
  const config = join(FRONTEND, ".oxlintrc.json");
  const { stdout } = await promisify(execFile)(OXLINT, ["-c", config, "-f", "json", root], {
    maxBuffer: 2 ** 26,
  }).catch((failure: { stdout: string }) => failure);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  return new Set(
    diagnostics
      .filter(({ code }) => code.includes("no-restricted-imports"))
      .map(({ filename }) => filename.slice(filename.indexOf("/src/") + "/src/".length)),
  );
}
