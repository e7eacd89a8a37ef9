// Clicks through every view in a real browser, on a clone of this repository, and compares what is shown with what the
// command line says. Nothing may be logged, nothing may be asked elsewhere, and axe may find nothing serious.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { binary, browserPath, cli, launch, open, root, serve, settled } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("the page", { skip: browserPath ? false : "SKIPPED: Chromium is missing" }, () => {
  let folder, project, server, browser, page, problems, context;

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "codegraph-page-"));
    project = path.join(folder, "codegraph");
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, project]);
    execFileSync(binary, ["init", "."], { cwd: project, stdio: "ignore" });
    server = await serve(project);
    browser = await launch();
    ({ page, problems, context } = await open(browser, server.address));
  });

  after(async () => {
    await browser?.close();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function visit(to) {
    problems.length = 0;
    await page.goto(server.address + to);
    await page.waitForTimeout(120);
    await settled(page);
  }

  /** What holds on every view. */
  async function sound(name) {
    assert.deepEqual(problems, [], name);
    // As text, because the page's policy lets nobody add a script to it.
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
    assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`), [], name);
  }

  const text = (selector) => page.locator(selector).first().innerText();
  const number = (n) => new Intl.NumberFormat("en").format(n);

  test("overview", async () => {
    await visit("/");
    const status = cli(project, "status");
    assert.equal(await page.locator(".numbers dd").first().getAttribute("title"), number(status.statistics.files));
    const [first] = await (await fetch(`${server.address}/api/central?limit=1`)).json().then((data) => data.files);
    assert.match(await text(".card:has-text('Most central files') li"), new RegExp(first.file.split("/").pop()));
    await sound("overview");
    await page.locator(".card:has-text('Most central symbols') a.name").first().click();
    await page.waitForURL(/\/symbol/);
  });

  test("search answers while one types, and keys choose", async () => {
    await visit("/");
    await page.keyboard.press("/");
    await page.keyboard.type("settled");
    await page.waitForURL(/\/search\?q=settled/);
    await page.locator(".results .card:has-text('Symbols') li").first().waitFor();
    await settled(page);
    const found = cli(project, "find", "settled", "--mode", "contains", "--limit", "12");
    const shown = await page.locator(".results .card:has(h2:text-is('Symbols')) a.name").evaluateAll((all) => all.map((one) => one.title));
    assert.deepEqual(shown, found.symbols.map((one) => one.fqn));
    await page.locator(".preview .code").waitFor();
    await sound("search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(symbol|file)/);
    await visit("/search?q=where%20are%20files%20opened");
    await page.locator(".card:has-text('By meaning') li").first().waitFor();
    await visit("/search?q=zzzznothing");
    assert.match(await text("main"), /Nothing matches/);
  });

  test("tree, treemap and terms", async () => {
    await visit("/tree");
    const entries = cli(project, "tree", "--depth", "1", "--limit", "500").entries.map((one) => one.path).sort();
    const shown = await page.locator("table.grid tbody th a").evaluateAll((all) => all.map((one) => one.title).sort());
    assert.deepEqual(shown, entries);
    await sound("tree");
    await page.locator("table.grid tbody th a", { hasText: "crates/" }).click();
    await page.waitForURL(/path=crates/);
    await visit("/tree?as=areas");
    assert.ok((await page.locator(".areas a").count()) > 20);
    await sound("treemap");
    await visit("/tree?as=cloud");
    assert.equal(await page.locator(".cloud li").count(), 150);
    await sound("terms");
  });

  test("a file links every name", async () => {
    await visit("/file?path=crates/runtime/src/guard.rs#L60");
    const source = readFileSync(path.join(project, "crates/runtime/src/guard.rs"), "utf8").split("\n");
    const lines = await page.locator(".code .line code").evaluateAll((all) => all.map((one) => one.textContent));
    assert.deepEqual(lines, source.slice(0, -1), "the text is the file's text");
    assert.ok((await page.locator(".code a[href^='/symbol']").count()) > 100);
    assert.equal(await page.locator(".code .marked").getAttribute("id"), "L60");
    await sound("file");
    await page.locator(".code a", { hasText: /^without_port$/ }).first().click();
    await page.waitForURL(/\/symbol/);
    await settled(page);
    assert.match(await text("h1"), /without_port/);
  });

  test("a symbol shows who uses it, as the command line says", async () => {
    await visit("/symbol?id=Guard::admits");
    const callers = cli(project, "callers", "Guard::admits", "--limit", "200");
    const shown = await page.locator(".callers a.name").evaluateAll((all) => all.map((one) => one.title));
    const own = callers.calls.filter((one) => !one.external).map((one) => one.symbol.fqn);
    assert.deepEqual(shown, own.slice(0, 12));
    assert.match(await text(".signature"), /pub fn admits/);
    assert.match(await text(".documentation"), /Whether a request may be answered/);
    await page.getByRole("button", { name: "Show the commits that changed it" }).click();
    await page.locator(".commits li").first().waitFor();
    await sound("symbol");
    await visit("/symbol?id=codegraph_runtime::guard::Guard");
    assert.match(await text(".card:has-text('Above and below it')"), /Made of/);
    await sound("type");
    await visit("/symbol?id=new");
    assert.match(await text("main"), /Several symbols are called new/);
    await page.locator(".rows a.name").first().click();
    await page.waitForFunction(() => document.querySelector(".signature"));
  });

  test("the graph opens, finds, focuses and is saved", async () => {
    await visit("/graph");
    const drawn = () => page.waitForFunction(() => document.querySelector(".canvas")?.scene?.settled(), undefined, { timeout: 60_000 });
    await drawn();
    await sound("graph");
    const before = await page.locator(".graph-side li").count();
    await page.locator(".graph-side button.end", { hasText: "query/" }).first().click();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForURL(/open=/);
    await settled(page);
    await drawn();
    await page.getByRole("button", { name: "Close" }).click().catch(() => {});
    assert.ok((await page.locator(".graph-side li").count()) > before);
    await page.getByLabel("Find").fill("overview");
    assert.match(await text(".graph-side"), /Found/);
    for (const kind of ["SVG", "DOT", "Mermaid"]) {
      await page.locator("summary", { hasText: "Export" }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind }).click()]);
      const saved = readFileSync(await download.path(), "utf8");
      assert.match(saved, { SVG: /^<svg/, DOT: /^digraph/, Mermaid: /^flowchart/ }[kind]);
      await page.locator("summary", { hasText: "Export" }).click();
    }
    const first = await picture("/graph");
    assert.equal(await picture("/graph"), first, "the same picture on every visit");
    await visit("/graph?focus=Guard::admits");
    await drawn();
    assert.match(await text(".graph-side"), /admits/);
    await visit("/graph?as=path&from=Guard::admits&to=without_port");
    await page.locator(".steps li").first().waitFor();
    const route = cli(project, "path", "Guard::admits", "without_port");
    assert.equal(await page.locator(".steps li").count(), route.steps.length + 1);
    await sound("path");
  });

  async function picture(to) {
    await visit(to);
    await page.waitForFunction(() => document.querySelector(".canvas")?.scene?.settled(), undefined, { timeout: 60_000 });
    return page.evaluate(() => document.querySelector(".canvas").scene.svg());
  }

  test("impact of a symbol and of a commit", async () => {
    await visit("/impact?symbol=Guard::admits");
    const impact = cli(project, "impact", "Guard::admits", "--depth", "6", "--limit", "500");
    assert.match(await text(".lead"), new RegExp(`${number(impact.total)} symbols? and ${number(impact.total_tests)} tests?`));
    await sound("impact");
    await visit("/impact?diff=HEAD");
    assert.match(await text(".lead"), /0 symbols in 0 files differ/);
    await sound("diff");
  });

  test("map, SQL and docs", async () => {
    await visit("/map?tokens=1000");
    const map = cli(project, "map", "--tokens", "1000");
    assert.equal(await page.locator("pre.map").textContent(), map.text);
    await sound("map");
    await visit(`/sql?q=${encodeURIComponent("SELECT kind, count(*) AS n FROM symbols GROUP BY kind ORDER BY n DESC")}`);
    const rows = cli(project, "sql", "SELECT kind, count(*) AS n FROM symbols GROUP BY kind ORDER BY n DESC").rows;
    const shown = await page.locator("table.grid tbody tr").evaluateAll((all) => all.map((one) => one.cells[0].textContent));
    assert.deepEqual(shown, rows.map((one) => one.kind));
    await sound("sql");
    await visit("/sql?q=DELETE%20FROM%20files");
    await page.locator(".wrong").waitFor();
    await visit("/docs");
    assert.match(await text(".markdown"), /Languages/);
    assert.match(await text("main"), /This server changes nothing/);
    await sound("docs");
  });

  test("dark, and a phone", async () => {
    const phone = await open(browser, server.address, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    for (const to of ["/", "/search?q=guard", "/tree", "/symbol?id=Guard::admits", "/impact?symbol=Guard::admits", "/map", "/sql", "/docs"]) {
      await phone.page.goto(server.address + to);
      await phone.page.waitForTimeout(120);
      await settled(phone.page);
      assert.equal(await phone.page.evaluate(() => document.documentElement.dataset.theme), "dark");
      const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${to} is ${wide} pixels too wide`);
      await phone.page.evaluate(axe);
      const found = await phone.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
      assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`), [], to);
    }
    assert.deepEqual(phone.problems, []);
    await phone.context.close();
  });

  test("all with the keyboard", async () => {
    await visit("/");
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.waitForURL(/\/tree/);
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    await sound("help");
    await page.keyboard.press("Escape");
    await page.goBack();
    await page.waitForURL(new RegExp(`${server.address}/$`));
    void context;
  });
});
