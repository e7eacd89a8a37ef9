// Runs every tool through the official TypeScript SDK: `typescript.mjs PACKAGES CALLS stdio COMMAND…` or `… http URL`.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [packages, file, transport, ...target] = process.argv.slice(2);
const sdk = (name) => import(pathToFileURL(`${packages}/node_modules/@modelcontextprotocol/sdk/dist/esm/client/${name}.js`));
const { Client } = await sdk("index");
const { StdioClientTransport } = await sdk("stdio");
const { StreamableHTTPClientTransport } = await sdk("streamableHttp");

const calls = JSON.parse(readFileSync(file));
const client = new Client({ name: "tests", version: "1" });
await client.connect(
  transport === "http"
    ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1) }),
);
assert.equal(client.getServerVersion().name, "codegraph");
// One text and nothing else, unless data was asked for: clients show their model the data instead.
const structured = target.includes("--structured") || target[0].endsWith("/structured");
const tools = (await client.listTools()).tools;
assert(tools.every((tool) => (tool.outputSchema !== undefined) === structured));
const listed = tools.map((tool) => tool.name).sort();
assert.deepEqual(listed, Object.keys(calls).sort());
for (const [name, args] of Object.entries(calls)) {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, `${name}: ${result.content[0].text}`);
  assert(result.content.length === 1 && result.content[0].text, name);
  assert.equal(typeof result.structuredContent === "object", structured, name);
}
const wrong = await client.callTool({ name: "codegraph_query", arguments: { term: "([", mode: "regex" } });
assert(wrong.isError && wrong.content.length === 1 && wrong.content[0].text.includes("hint: "));
assert.equal(wrong.structuredContent !== undefined, structured);
await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }));
for (const resource of (await client.listResources()).resources) {
  assert((await client.readResource({ uri: resource.uri })).contents[0].text, resource.uri);
}
await assert.rejects(client.readResource({ uri: "codegraph://signatures/../../etc/passwd" }));
for (const prompt of (await client.listPrompts()).prompts) {
  const args = Object.fromEntries((prompt.arguments ?? []).map((argument) => [argument.name, "User"]));
  assert((await client.getPrompt({ name: prompt.name, arguments: args })).messages[0].content.text);
}
const stop = new AbortController();
const stopped = client.callTool({ name: "codegraph_init", arguments: {} }, undefined, { signal: stop.signal });
stop.abort();
await assert.rejects(stopped);
assert(!(await client.callTool({ name: "codegraph_find", arguments: { name: "User" } })).isError);
await client.close();
console.log(`${listed.length} tools over ${transport}`);
