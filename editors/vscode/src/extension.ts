// Starts `codegraph lsp` and offers the questions that editors have no request for. The index follows saves by itself:
// the server looks before it answers.
import * as os from 'node:os';
import * as path from 'node:path';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import {
  ExecuteCommandRequest,
  LanguageClient,
  LanguageClientOptions,
  Location as ProtocolLocation,
  Position as ProtocolPosition,
  ServerOptions,
} from 'vscode-languageclient/node';

import { callersText, impactText, contextText } from './answers';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: (...args: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  command('codegraph.restart', async () => {
    await stop();
    await start();
  });
  command('codegraph.showCallers', () => atCursor('codegraph.callers', callersText));
  command('codegraph.showImpact', () => atCursor('codegraph.impact', impactText));
  command('codegraph.showContext', showContext);
  command('codegraph.showMap', async () => show(await ask('codegraph.map', {}), (data) => String(data.text ?? '')));
  command('codegraph.showReferences', showReferences);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('codegraph')) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

/** The command to run: as set, in cargo's folder, or on the PATH. */
function binary(): string | undefined {
  const set = vscode.workspace.getConfiguration('codegraph').get<string>('path');
  if (set) {
    return set;
  }
  const name = process.platform === 'win32' ? 'codegraph.exe' : 'codegraph';
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join(os.homedir(), '.cargo', 'bin')];
  return folders.filter(Boolean).map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

async function start(): Promise<void> {
  const found = binary();
  if (!found) {
    const choice = await vscode.window.showWarningMessage(
      "codegraph was not found. Install it with 'cargo install codegraph', or set where it is.",
      'Open Settings',
    );
    if (choice) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'codegraph.path');
    }
    return;
  }
  const settings = vscode.workspace.getConfiguration('codegraph');
  const server: ServerOptions = { command: found, args: ['lsp'] };
  const options: LanguageClientOptions = {
    documentSelector: (settings.get<string[]>('languages') ?? []).map((language) => ({ scheme: 'file', language })),
    initializationOptions: {
      index: settings.get('index'),
      inlayHints: settings.get('inlayHints'),
      codeLens: settings.get('codeLens'),
      diagnostics: settings.get('diagnostics'),
    },
    // Commands of the server are asked through ours, which show the answer.
    middleware: { executeCommand: async () => undefined },
  };
  client = new LanguageClient('codegraph', 'codegraph', server, options);
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(`codegraph could not be started: ${error}`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

type Data = Record<string, unknown>;

async function ask(command: string, argument: Data): Promise<Data | undefined> {
  if (!client) {
    void vscode.window.showInformationMessage('codegraph is not running.');
    return undefined;
  }
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
}

/** Asks about the name under the cursor. */
async function atCursor(command: string, text: (data: Data) => string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const { line, character } = editor.selection.active;
  await show(await ask(command, { uri: editor.document.uri.toString(), position: { line, character } }), text);
}

async function showContext(): Promise<void> {
  const task = await vscode.window.showInputBox({ prompt: 'What is to be done?' });
  if (task) {
    await show(await ask('codegraph.context', { task }), contextText);
  }
}

/** Opens an answer beside the code. */
async function show(data: Data | undefined, text: (data: Data) => string): Promise<void> {
  if (!data) {
    return;
  }
  const document = await vscode.workspace.openTextDocument({ content: text(data), language: 'markdown' });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** The command of the lenses. */
async function showReferences(uri: string, position: ProtocolPosition, places: ProtocolLocation[]): Promise<void> {
  if (!client) {
    return;
  }
  const convert = client.protocol2CodeConverter;
  const locations = places.map((place) => convert.asLocation(place));
  const at = convert.asPosition(position);
  await vscode.commands.executeCommand('editor.action.showReferences', convert.asUri(uri), at, locations);
}
