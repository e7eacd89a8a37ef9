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

/** Every table, and what a row of it is. */
const TABLES: [string, string][] = [
  ["files", "an indexed file"],
  ["symbols", "a definition"],
  ["references", "a use of a name"],
  ["calls", "a call"],
  ["methods", "a function, method or macro with its prototype"],
  ["types", "a class, struct, interface, enum or type alias"],
  ["classes", "a type that can have members"],
  ["functions", "a function or macro that is no member of a type"],
  ["lines", "a line of a file"],
  ["items", "a term: an identifier, or a word of a comment or string"],
  ["occurrences", "a term on a line"],
  ["signatures", "a file with the comment at its top"],
  ["usages", "a use of a class, method or function"],
  ["entity_cross_ref", "a use of one entity by another"],
  ["ast_nodes", "a node of a syntax tree"],
  ["dependencies", "a link to another project"],
  ["metadata", "a fact about the index itself"],
];

function Tables({ pick }: { pick: (name: string) => void }) {
  return (
    <Card title="Tables" aside="a row is">
      <ul class="rows tables">{TABLES.map(([name, row]) => <li key={name}><Table name={name} row={row} pick={pick} /></li>)}</ul>
    </Card>
  );
}

/** A table with its columns, which are asked for when it is opened. */
function Table({ name, row, pick }: { name: string; row: string; pick: (name: string) => void }) {
  const [open, setOpen] = useState(false);
  const columns = useAsk<Sql>(open ? "sql" : null, { statement: `SELECT * FROM "${name}" LIMIT 0` });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><span class="mono">{name}</span> <span class="quiet">{row}</span></summary>
      <p class="quiet mono wrap">{columns.data?.columns.join(", ") ?? "…"}</p>
      <button type="button" class="link" onClick={() => pick(`"${name}"`)}>Show 50 rows</button>
    </details>
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
