// Read-only SQL over the index, with its tables beside it.
import { useState } from "preact/hooks";
import { useAsk } from "../api";
import { go, href, usePlace } from "../router";
import type { Sql } from "../types";
import { Card, Copy, Empty, fileHref, save, Shown, symbolHref } from "../ui";
import { count, many } from "../words";

const EXAMPLES: [string, string][] = [
  ["The longest functions", "SELECT name, file_path, line_number, end_line - line AS lines\nFROM methods ORDER BY lines DESC LIMIT 20"],
  ["Files by symbols", "SELECT path, language, lines, symbols FROM files ORDER BY symbols DESC LIMIT 20"],
  ["Kinds of symbols", "SELECT kind, count(*) AS symbols FROM symbols GROUP BY kind ORDER BY symbols DESC"],
  ["Files with problems", "SELECT path, problems FROM files WHERE problems <> '' LIMIT 50"],
];

export function SqlView() {
  const { params } = usePlace();
  const statement = params.get("q") ?? EXAMPLES[1]![1];
  const [typed, set] = useState(statement);
  const run = (text: string) => {
    set(text);
    go(href("/sql", { q: text }));
  };
  const asked = useAsk<Sql>("sql", { statement, limit: 500 });
  return (
    <>
      <h1 class="title">SQL</h1>
      <p class="facts">Every table of the index, read-only.</p>
      <div class="columns sql-columns">
        <div>
          <form class="card editor" onSubmit={(event) => { event.preventDefault(); run(typed); }}>
            <textarea
              class="mono" rows={7} spellcheck={false} aria-label="SQL statement" value={typed} onInput={(event) => set(event.currentTarget.value)}
              onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(typed); } }}
            />
            <div class="actions"><button class="button first" type="submit">Run</button><span class="quiet"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span></div>
          </form>
          <Shown asked={asked} lines={10}>{(data) => <Rows of={data} />}</Shown>
        </div>
        <div>
          <Card title="Examples"><ul class="rows">{EXAMPLES.map(([title, text]) => <li key={title}><button type="button" class="link" onClick={() => run(text)}>{title}</button></li>)}</ul></Card>
          <Tables pick={(name) => run(`SELECT * FROM ${name} LIMIT 50`)} />
        </div>
      </div>
    </>
  );
}

const TABLES: [string, string][] = [
  ["files", "path, hash, language, size, lines, symbols, package, module, problems"],
  ["symbols", "symbol_id, name, kind, fqn, file_path, start_line, end_line, signature, docs"],
  ["references", "file_path, referenced_symbol, kind, start_line, target, certainty, how"],
  ["calls", "caller, callee, file_path, start_line, is_conditional"],
  ["lines", "file_path, line_number, line_type"],
  ["items", "term"],
  ["occurrences", "item_id, file_id, line_number, line_type"],
  ["methods", "name, prototype, file_path, line_number, visibility"],
  ["types", "name, kind, file_path, line_number"],
  ["classes", "name, bases, docstring, file_path, line"],
  ["functions", "name, args, docstring, file_path, line"],
  ["usages", "usage_type, target_name, file_path, line"],
  ["entity_cross_ref", "ref_type, file_id, line"],
  ["signatures", "file_path, header_comments"],
  ["ast_nodes", "kind, file_path, byte_start, byte_end"],
  ["dependencies", "path, name"],
  ["metadata", "key, value"],
];

function Tables({ pick }: { pick: (name: string) => void }) {
  return (
    <Card title="Tables">
      <ul class="rows tables">
        {TABLES.map(([name, columns]) => (
          <li key={name}><button type="button" class="link mono" onClick={() => pick(name === "references" ? '"references"' : name)}>{name}</button><span class="quiet mono">{columns}</span></li>
        ))}
      </ul>
    </Card>
  );
}

function Rows({ of }: { of: Sql }) {
  const csv = () => {
    const cell = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
    return [of.columns.map(cell), ...of.rows.map((row) => of.columns.map((name) => cell(row[name])))].map((line) => line.join(",")).join("\n");
  };
  return (
    <Card
      title={many(of.rows.length, "row")}
      aside={<>{of.truncated && <span>there are more</span>}<Copy text={csv} label="Copy as CSV" /><button type="button" class="button" onClick={() => save("rows.csv", "text/csv", csv())}>Save</button></>}
      class="scroll"
    >
      {of.rows.length === 0 ? <Empty>No rows.</Empty> : (
        <table class="grid">
          <thead><tr>{of.columns.map((name) => <th key={name} scope="col" class={isNumber(of, name) ? "number" : undefined}>{name}</th>)}</tr></thead>
          <tbody>
            {of.rows.map((row, i) => (
              <tr key={i}>{of.columns.map((name) => <td key={name} class={isNumber(of, name) ? "number" : "mono"}><Cell name={name} value={row[name]} row={row} /></td>)}</tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

const isNumber = (of: Sql, name: string) => typeof of.rows[0]?.[name] === "number" && !/(^|_)id$/.test(name);

function Cell({ name, value, row }: { name: string; value: unknown; row: Record<string, unknown> }) {
  if (value === null || value === undefined) return <span class="quiet">–</span>;
  if (typeof value === "number") return <>{/(^|_)id$|line/.test(name) ? value : count(value)}</>;
  const text = String(value);
  const line = row["line_number"] ?? row["start_line"] ?? row["line"];
  if (name === "file_path" || name === "path") return <a href={fileHref(text, typeof line === "number" ? line : undefined)}>{text}</a>;
  if (/symbol_id$/.test(name)) return <a href={symbolHref(text)}>{text.slice(0, 12)}…</a>;
  return <span class="cell" title={text.length > 120 ? text : undefined}>{text}</span>;
}
