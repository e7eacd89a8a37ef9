// Bundles the page into crates/serve/dist, where the binary takes it from. The same sources give the same bytes.
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import path from "node:path";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(here, process.argv[2] ?? "../crates/serve/dist");
/** What the whole page may weigh, packed. */
const MOST_BYTES = 400 * 1024;

await mkdir(out, { recursive: true });
const shared = {
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  outdir: out,
  logLevel: "warning",
  absWorkingDir: here,
};
await build({
  ...shared,
  entryPoints: { app: "src/main.tsx" },
  jsx: "automatic",
  jsxImportSource: "preact",
  // Loaded only by who wants to see a graph.
  external: ["/graph.js"],
});
await build({ ...shared, entryPoints: { graph: "src/graph/draw.ts" } });
await build({ ...shared, entryPoints: { app: "src/styles/app.css" } });
for (const file of ["index.html", "icon.svg"]) await copyFile(path.join(here, "static", file), path.join(out, file));

let total = 0;
for (const file of ["index.html", "app.js", "app.css", "graph.js", "icon.svg"]) {
  const packed = gzipSync(await readFile(path.join(out, file))).length;
  total += packed;
  console.log(`${file.padEnd(12)} ${(packed / 1024).toFixed(1).padStart(7)} KB`);
}
console.log(`${"all".padEnd(12)} ${(total / 1024).toFixed(1).padStart(7)} KB`);
if (total > MOST_BYTES) throw new Error(`the page is over its ${MOST_BYTES / 1024} KB`);
