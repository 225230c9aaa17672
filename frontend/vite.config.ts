import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * Preload the text font with the page: found only through the style sheet it would arrive a round
 * trip later, and every line would be laid out twice.
 */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler(_html, context) {
        const font = Object.keys(context.bundle ?? {}).find((name) =>
          /plex-sans-latin-wght-normal.*\.woff2$/.test(name),
        );
        if (!font) return [];
        return [
          {
            tag: "link",
            attrs: {
              rel: "preload",
              href: `/${font}`,
              as: "font",
              type: "font/woff2",
              crossorigin: "",
            },
            injectTo: "head",
          },
        ];
      },
    },
  };
}

/** Compress assets once here, instead of on the server for every visitor. */
function packAssets(): Plugin {
  return {
    name: "pack-assets",
    apply: "build",
    writeBundle({ dir = "dist" }, bundle) {
      for (const name of Object.keys(bundle).filter((one) => /\.(js|css)$/.test(one))) {
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}

/**
 * Emit the list of pages: for any other address the server answers 404, with a page that says so.
 */
function listPages(): Plugin {
  return {
    name: "list-pages",
    apply: "build",
    generateBundle() {
      const source = readFileSync(new URL("src/routes/paths.json", import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: "paths.json", source });
    },
  };
}

const backend = process.env.BACKEND_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react(), preloadFont(), packAssets(), listPages()],
  server: { proxy: { "/api": backend } },
  // The first browsers with light-dark(): compiled down, it couldn't follow a chosen appearance.
  build: {
    target: ["chrome123", "safari17.5", "firefox120"],
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Bundle what every page needs first into one file: of thirty, most would wait for a free
      // connection.
      output: { codeSplitting: { groups: [{ name: "initial", tags: ["$initial"] }] } },
    },
  },
  // One document per worker instead of one per file: creating them took most of the time.
  test: {
    environment: "happy-dom",
    pool: "vmThreads",
    include: ["src/**/*.test.{ts,tsx}"],
    coverage: {
      include: ["src/**/*.{ts,tsx}"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: "../build/coverage-frontend",
    },
  },
});
