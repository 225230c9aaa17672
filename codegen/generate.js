// Writes frontend/src/api/schema.d.ts, the types of the API, from what the server describes.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = new URL("../frontend/src/api/schema.d.ts", import.meta.url);

/** References to other documents (the run document's own schema) become open objects: the browser sends none. */
function inlined(node) {
  if (Array.isArray(node)) return node.map(inlined);
  if (node === null || typeof node !== "object") return node;
  if (typeof node.$ref === "string" && !node.$ref.startsWith("#")) {
    return { type: "object", additionalProperties: true };
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inlined(value)]));
}

const described = execFileSync(`${root}.venv/bin/python`, ["tools/exports.py", "--openapi"], {
  cwd: root,
  maxBuffer: 2 ** 26,
});
const types = astToString(
  // What has a default may be left out of a figure that travels.
  await openapiTS(inlined(JSON.parse(described)), { defaultNonNullable: false }),
);
await writeFile(target, `// Made by \`make generate\`. Not edited by hand, and not committed.\n\n${types}`);
