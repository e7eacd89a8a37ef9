// What the tests and the screenshots share: a server on a project, a browser, and a page that reports whatever is wrong.
import { spawn, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, "../..");
export const binary = process.env.CODEGRAPH ?? path.join(root, "target/debug/codegraph");

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const browserPath = BROWSERS.find((one) => one && existsSync(one));

/** Runs a command and gives what it says as data. */
export function cli(folder, ...args) {
  const said = execFileSync(binary, [...args, "--json"], { cwd: folder, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(said.toString()).data;
}

/** Serves a project at a port of the system's choice. */
export async function serve(folder, ...args) {
  const child = spawn(binary, ["serve", folder, "--port", "0", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (bytes) => {
      text += bytes;
      const found = /at (http:\S+)/.exec(text);
      if (found) resolve(found[1].replace(/\/$/, ""));
    });
    child.on("exit", () => reject(new Error(text)));
  });
  return { address, stop: () => child.kill() };
}

export async function launch() {
  return chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
  });
}

/** A page that remembers errors and every request that leaves the server's address. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const problems = [];
  // While one works on the page: what was built last, instead of what is in the binary.
  if (process.env.DIST) {
    for (const name of ["app.js", "app.css", "graph.js"]) {
      await context.route(`${address}/${name}`, (route) => route.fulfill({ path: path.join(process.env.DIST, name) }));
    }
  }
  page.on("console", (message) => {
    // WebGL in software says that it is slow.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver|WebGL.*fallback|swiftshader/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) problems.push(`asked ${request.url()}`);
  });
  return { context, page, problems };
}

/** Waits until nothing is being loaded. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector(".waiting") && !document.querySelector("[aria-busy=true]"), undefined, { timeout: 30_000 });
}
