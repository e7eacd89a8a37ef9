// Takes pictures of the main views, light and dark, for the documents: node test/screenshots.mjs PROJECT [OUT] [WORD...]
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { launch, open, root, serve, settled } from "./browser.mjs";

const [project, out = path.join(root, "docs/page"), ...only] = process.argv.slice(2);
if (!project) throw new Error("name a folder of a project that is indexed");
await mkdir(out, { recursive: true });
const server = process.env.ADDRESS ? { address: process.env.ADDRESS, stop() {} } : await serve(project);
const browser = await launch();
const central = await (await fetch(`${server.address}/api/central?limit=40`)).json();
const symbol = central.symbols.find((one) => one.kind === "method" || one.kind === "function") ?? central.symbols[0];
const type = central.symbols.find((one) => one.kind === "class") ?? symbol;

/** As WebP, which the browser writes at a third of the size; `PNG=1` for programs that do not read it. */
async function take(context, page, file) {
  if (process.env.PNG) return page.screenshot({ path: file.replace(/webp$/, "png") });
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 84 });
  await writeFile(file, Buffer.from(data, "base64"));
}

const VIEWS = [
  ["overview", "/"],
  ["search", `/search?q=${encodeURIComponent(symbol.name)}`],
  ["tree", "/tree"],
  ["treemap", "/tree?as=areas"],
  ["terms", "/tree?as=cloud"],
  ["symbol", `/symbol?id=${symbol.symbol_id}`],
  ["type", `/symbol?id=${type.symbol_id}`],
  ["file", `/file?path=${encodeURIComponent(symbol.file)}#L${symbol.line_number}`],
  ["graph", "/graph"],
  ["focus", `/graph?focus=${symbol.symbol_id}`],
  ["impact", `/impact?symbol=${symbol.symbol_id}`],
  ["diff", "/impact?diff=HEAD~3..HEAD"],
  ["map", "/map?tokens=2000"],
  ["sql", "/sql"],
  ["docs", "/docs"],
];

for (const [look, options] of [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["phone", { colorScheme: "light", viewport: { width: 390, height: 844 } }]]) {
  for (const [name, to] of VIEWS) {
    if (only.length && !only.includes(name) && !only.includes(`${name}-${look}`) && !only.includes(look)) continue;
    const { page, context, problems } = await open(browser, server.address, options);
    await page.goto(server.address + to);
    await page.waitForTimeout(150);
    await settled(page);
    if (["graph", "focus"].includes(name)) {
      await page.waitForFunction(() => document.querySelector(".canvas")?.scene?.settled(), undefined, { timeout: 60_000 });
      await page.waitForTimeout(300);
    }
    await take(context, page, path.join(out, `${name}-${look}.webp`));
    if (problems.length) console.log(`${name}-${look}: ${problems.join("; ")}`);
    await context.close();
  }
}
await browser.close();
server.stop();
