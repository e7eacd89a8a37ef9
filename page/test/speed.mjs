// Measures the page on a project: node test/speed.mjs PROJECT. First paint, a search, a symbol page, frames of the graph.
import { launch, open, serve } from "./browser.mjs";

const [project] = process.argv.slice(2);
if (!project) throw new Error("name a folder of a project that is indexed");
const server = await serve(project);
const browser = await launch();
const { page } = await open(browser, server.address);
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function times(name, rounds, measure) {
  const all = [];
  for (let i = 0; i <= rounds; i++) {
    // What is left of the round before is not measured, in the server neither.
    await page.waitForTimeout(500);
    all.push(await measure());
  }
  const first = all.shift();
  console.log(`${name.padEnd(28)} ${middle(all).toFixed(0).padStart(6)} ms   (at most ${Math.max(...all).toFixed(0)}, the first ${first.toFixed(0)})`);
}

await times("first paint", 7, async () => {
  await page.goto(`${server.address}/`);
  return page.evaluate(() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime)).observe({ type: "paint", buffered: true })));
});
const central = await (await fetch(`${server.address}/api/central?limit=60`)).json();
const names = central.symbols.map((one) => one.name).filter((name) => name.length > 3);
let turn = 0;
await times("a search answered", 15, async () => {
  const name = names[turn++ % names.length].slice(0, 5);
  const begin = performance.now();
  await (await fetch(`${server.address}/api/find?name=${name}&mode=contains&limit=12`)).text();
  return performance.now() - begin;
});
await times("a symbol page shown", 15, async () => {
  const id = central.symbols[turn++ % central.symbols.length].symbol_id;
  // From a page at rest; one that is still being drawn is measured below, as a whole.
  await page.goto(`${server.address}/search`);
  await page.waitForTimeout(300);
  return page.evaluate(async (id) => {
    const begin = performance.now();
    history.pushState(null, "", `/symbol?id=${id}`);
    dispatchEvent(new PopStateEvent("popstate"));
    while (!document.querySelector("main .code .line") || !document.querySelector("h1.symbol-title")) await new Promise((next) => requestAnimationFrame(next));
    return performance.now() - begin;
  }, id);
});
await times("a symbol page, from nothing", 15, async () => {
  const id = central.symbols[turn++ % central.symbols.length].symbol_id;
  await page.goto(`${server.address}/symbol?id=${id}`);
  return page.evaluate(async () => {
    while (!document.querySelector("main .code .line")) await new Promise((next) => requestAnimationFrame(next));
    return performance.now();
  });
});
await page.goto(`${server.address}/graph`);
await page.waitForFunction(() => document.querySelector(".canvas")?.scene?.settled(), undefined, { timeout: 120_000 });
const frames = await page.evaluate(async () => {
  const scene = document.querySelector(".canvas").scene;
  const nodes = Array.from({ length: 2000 }, (_, i) => ({ id: `n${i}`, label: `node ${i}`, type: "file", path: `f${i % 40}/n${i}`, language: "", files: 1, lines: 100, test: false }));
  const edges = Array.from({ length: 6000 }, (_, i) => ({ from: (i * 7919) % 2000, to: (i * 104729 + 1) % 2000, references: 1 + (i % 9), exact: 1, kinds: { call: 1 } }));
  const seen = new Set();
  scene.show({ nodes, edges: edges.filter((edge) => edge.from !== edge.to && !seen.has(`${edge.from} ${edge.to}`) && seen.add(`${edge.from} ${edge.to}`)), open: [], left_out: 0 });
  while (!scene.settled()) await new Promise((next) => setTimeout(next, 50));
  return scene.measure(3000);
});
console.log(`${"graph of 2 000 nodes".padEnd(28)} ${frames.script.toFixed(1).padStart(6)} ms   of script for a frame; ${frames.frames.toFixed(0)} frames a second`);
await browser.close();
server.stop();
