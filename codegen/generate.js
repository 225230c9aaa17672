// Writes frontend/src/api/schema.d.ts from frontend/openapi.json; with --check only tells whether it
// is what the committed description gives.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL(process.env.OPENAPI ?? "../frontend/openapi.json", import.meta.url);
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

const description = inlined(JSON.parse(await readFile(source, "utf8")));
const types = `// Made by \`npm run generate\` in codegen/ from frontend/openapi.json. Not edited by hand.\n\n${astToString(
  // What has a default may be left out of a figure that travels.
  await openapiTS(description, { defaultNonNullable: false }),
)}`;

if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch(() => "");
  if (committed !== types) {
    console.error("frontend/src/api/schema.d.ts is stale: run npm run generate -w codegen");
    process.exit(1);
  }
} else {
  await writeFile(target, types);
}
