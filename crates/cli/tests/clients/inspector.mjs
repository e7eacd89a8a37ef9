// Runs every tool through the command line of the MCP inspector: `inspector.mjs PACKAGES CALLS stdio COMMAND…` or `… http URL`.
import assert from "node:assert";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

const [packages, file, transport, ...target] = process.argv.slice(2);
const inspector = `${packages}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
const run = async (...args) => {
  const all = [inspector, "--cli", ...target, "--transport", transport, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
};
const calls = JSON.parse(readFileSync(file));
const listed = (await run("--method", "tools/list")).tools.map((tool) => tool.name).sort();
assert.deepEqual(listed, Object.keys(calls).sort());
const call = async ([name, args]) => {
  const pairs = Object.entries(args).map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const given = pairs.flatMap((pair) => ["--tool-arg", pair]);
  const result = await run("--method", "tools/call", "--tool-name", name, ...given);
  assert(!result.isError && result.content[0].text, `${name}: ${JSON.stringify(result).slice(0, 500)}`);
};
// A process for each call: those that change nothing run together.
const changing = /_(init|update|update_batch|remove|sync_git|describe|update_docs|link|links|unlink)$/;
const reading = Object.entries(calls).filter(([name]) => !changing.test(name));
const next = async () => {
  for (let one = reading.pop(); one; one = reading.pop()) await call(one);
};
await Promise.all([next(), next(), next()]);
for (const one of Object.entries(calls).filter(([name]) => changing.test(name))) await call(one);
assert((await run("--method", "resources/list")).resources.length > 0);
assert((await run("--method", "prompts/list")).prompts.length > 0);
console.log(`${listed.length} tools over ${transport}`);
