// The protocol library of the extension against the real server: $CODEGRAPH, or the one on the PATH.
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const require = createRequire(import.meta.url);
const rpc = require('vscode-languageserver-protocol/node');
const command = process.env.CODEGRAPH ?? 'codegraph';
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'codegraph-')));
const text = 'def helper(n):\n    return n\n\n\ndef main():\n    return helper(1)\n';
fs.writeFileSync(path.join(root, 'a.py'), text);
execFileSync(command, ['init', root]);

const server = spawn(command, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(server.stdout),
  new rpc.StreamMessageWriter(server.stdin),
);
connection.listen();
const uri = pathToFileURL(path.join(root, 'a.py')).href;
const rootUri = pathToFileURL(root).href;
const workspaceFolders = [{ uri: rootUri, name: 'a' }];
const said = await connection.sendRequest(rpc.InitializeRequest.type, {
  processId: process.pid, rootUri, workspaceFolders, capabilities: {},
});
assert.ok(said.capabilities.renameProvider);
await connection.sendNotification(rpc.InitializedNotification.type, {});
const textDocument = { uri, languageId: 'python', version: 1, text };
await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument });
const at = { textDocument: { uri }, position: { line: 5, character: 13 } };
const [definition] = await connection.sendRequest(rpc.DefinitionRequest.type, at);
assert.deepEqual(definition.range.start, { line: 0, character: 4 });
const hover = await connection.sendRequest(rpc.HoverRequest.type, at);
assert.match(hover.contents.value, /def helper\(n\)/);

// The texts of the extension's own commands.
const out = path.join(root, 'answers.cjs');
buildSync({ entryPoints: ['src/answers.ts'], outfile: out, bundle: true, format: 'cjs', platform: 'node' });
const { callersText, impactText, contextText } = require(out);
const run = (command, argument) =>
  connection.sendRequest(rpc.ExecuteCommandRequest.type, { command, arguments: [argument] });
const here = { uri, position: at.position };
assert.match(callersText(await run('codegraph.callers', here)), /- a\.main \(a\.py, lines 6\)/);
assert.match(impactText(await run('codegraph.impact', here)), /- a\.main/);
assert.match(contextText(await run('codegraph.context', { task: 'the helper' })), /helper/);
assert.match((await run('codegraph.map', {})).text, /a\.py/);

await connection.sendRequest(rpc.ShutdownRequest.type);
await connection.sendNotification(rpc.ExitNotification.type);
const status = await new Promise((done) => server.on('exit', done));
assert.equal(status, 0);
fs.rmSync(root, { recursive: true });
console.log('the extension understands the server');
process.exit(0);
