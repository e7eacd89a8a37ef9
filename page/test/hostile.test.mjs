// A repository whose file names, code, comments, documents and commits are made of markup, scripts and escapes: all of it is
// shown as text, in every view, and nothing of it runs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { binary, browserPath, launch, open, serve, settled } from "./browser.mjs";

const EVIL = "<img src=x onerror=alert(1)>";
const SCRIPT = "</code></pre><script>window.owned = 1</script><svg onload=alert(2)>";
const LONG = "a_name_that_goes_on_and_on_".repeat(12);

describe("a hostile repository", { skip: browserPath ? false : "SKIPPED: Chromium is missing" }, () => {
  let folder, server, browser, page, problems;

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "codegraph-hostile-"));
    const deep = path.join(folder, `${EVIL}`, "javascript:alert(1)");
    mkdirSync(deep, { recursive: true });
    const source = `"""${SCRIPT}"""\n# ${SCRIPT} \u001b[31mred\u001b[0m \u202eesrever\n\n\ndef odd(x="${SCRIPT.replaceAll('"', "'")}"):\n    """Gives ${SCRIPT}."""\n    return ${LONG}(x)\n\n\ndef ${LONG}(x):\n    return odd(x)\n`;
    writeFileSync(path.join(deep, `${EVIL}.py`), source);
    writeFileSync(path.join(folder, "{{constructor.constructor('alert(1)')()}}.py"), "class X:\n    pass\n");
    writeFileSync(path.join(folder, "AGENTS.md"), `# ${SCRIPT}\n\n[click](javascript:alert(1)) ${SCRIPT} \`${EVIL}\`\n`);
    const git = (...args) => execFileSync("git", ["-c", "user.name=" + EVIL, "-c", "user.email=a@b.c", ...args], { cwd: folder, stdio: "ignore" });
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "-m", SCRIPT);
    execFileSync(binary, ["init", "."], { cwd: folder, stdio: "ignore" });
    server = await serve(folder, "--write");
    browser = await launch();
    ({ page, problems } = await open(browser, server.address));
  });

  after(async () => {
    await browser?.close();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function visit(to) {
    await page.goto(server.address + to);
    await page.waitForTimeout(150);
    await settled(page);
    const ran = await page.evaluate(() => [window.owned, document.querySelectorAll("#app script, #app img[src='x'], #app [onerror], #app [onload]").length]);
    assert.deepEqual(ran, [undefined, 0], to);
    assert.deepEqual(problems, [], to);
    return page.locator("main").innerText();
  }

  test("is shown as text in every view", async () => {
    const file = encodeURIComponent(`${EVIL}/javascript:alert(1)/${EVIL}.py`);
    assert.ok((await visit("/tree")).includes(EVIL));
    await visit("/");
    assert.ok((await visit(`/file?path=${file}`)).includes("<script>window.owned = 1</script>"));
    assert.ok((await visit("/symbol?id=odd")).includes("<script>window.owned = 1</script>"));
    await page.getByRole("button", { name: "Show the commits that changed it" }).click();
    await page.locator(".commits li").first().waitFor();
    const commits = await page.locator(".commits").innerText();
    assert.ok(commits.includes(SCRIPT), commits);
    for (const to of [`/search?q=${encodeURIComponent(EVIL)}`, "/search?q=odd", "/tree?as=areas", "/tree?as=cloud", "/impact?symbol=odd", "/impact?diff=HEAD", "/map", "/docs", `/symbol?id=${encodeURIComponent(SCRIPT)}`, `/nowhere/${encodeURIComponent(EVIL)}`, `/sql?q=${encodeURIComponent(`SELECT '${EVIL}' AS x, path FROM files`)}`]) await visit(to);
    await visit("/graph");
    await page.waitForFunction(() => document.querySelector(".canvas")?.scene?.settled(), undefined, { timeout: 60_000 });
    const svg = await page.evaluate(() => document.querySelector(".canvas").scene.svg());
    assert.ok(!svg.includes("<img"), "a saved picture holds no markup either");
    const links = await page.locator("a[href^='javascript' i]").count();
    assert.equal(links, 0);
  });

  test("a name of hundreds of characters breaks no view", async () => {
    for (const to of [`/symbol?id=${LONG}`, `/impact?symbol=${LONG}`, `/search?q=${LONG.slice(0, 40)}`]) {
      await visit(to);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${to} is ${wide} pixels too wide`);
    }
  });

  test("what is written comes back as text, and the page follows the files", async () => {
    await visit("/docs");
    await page.getByLabel("Text, as Markdown").fill(SCRIPT);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    await page.waitForFunction((text) => document.querySelector(".markdown")?.textContent?.includes(text), "window.owned = 1");
    assert.equal(await page.evaluate(() => window.owned), undefined);
    await visit("/search?q=born_later");
    assert.match(await page.locator("main").innerText(), /Nothing matches/);
    writeFileSync(path.join(folder, "later.py"), "def born_later():\n    pass\n");
    await page.locator(".results a.name", { hasText: "born_later" }).waitFor({ timeout: 20_000 });
  });
});
