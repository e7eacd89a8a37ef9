// Answers of the server as text that can be read beside the code. No dependency on the editor, so that tests can read it.

type Data = Record<string, unknown>;
type Brief = { fqn: string; kind: string; file: string; line_number: number };

const list = (data: Data, key: string): Data[] => (Array.isArray(data[key]) ? (data[key] as Data[]) : []);
const place = (symbol: Brief) => `${symbol.file}:${symbol.line_number}`;

/** What to say where no single symbol is meant. */
function unselected(data: Data): string | undefined {
  if (data.symbol) {
    return undefined;
  }
  const choices = list(data, 'choices').map((one) => `- ${one.fqn} (${one.file}:${one.line_number})`);
  return choices.length ? ['Several symbols have this name:', ...choices].join('\n') : 'No symbol of the project is here.';
}

export function callersText(data: Data): string {
  const symbol = data.symbol as Brief;
  const rows = list(data, 'calls').map((call) => {
    const lines = (call.lines as number[]).join(', ');
    return `${'  '.repeat((call.depth as number) - 1)}- ${call.name} (${call.file}, lines ${lines})`;
  });
  return unselected(data) ?? [`# Callers of ${symbol.fqn}`, place(symbol), '', ...rows, ''].join('\n');
}

export function impactText(data: Data): string {
  const symbol = data.symbol as Brief;
  const rows = (key: string) =>
    list(data, key).map((one) => {
      const affected = one.symbol as Brief;
      return `${'  '.repeat((one.depth as number) - 1)}- ${affected.fqn} (${place(affected)})`;
    });
  const tests = rows('tests');
  const parts = [`# A change of ${symbol?.fqn} concerns`, '', ...rows('affected')];
  return unselected(data) ?? [...parts, ...(tests.length ? ['', '## Tests', '', ...tests] : []), ''].join('\n');
}

export function contextText(data: Data): string {
  if (typeof data.text === 'string' && data.text) {
    return data.text;
  }
  const rows = list(data, 'symbols').map((one) => {
    const symbol = (one.symbol ?? one) as Brief;
    return `- ${symbol.fqn} (${place(symbol)})`;
  });
  return [`# ${data.task}`, '', ...rows, ''].join('\n');
}
