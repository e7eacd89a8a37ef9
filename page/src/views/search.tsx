// Search as you type: symbols, files, lines, and for several words what they are about. Arrow keys choose, Enter opens.
import { useEffect, useState } from "preact/hooks";
import { useAsk } from "../api";
import { Code } from "../code";
import { change, go, href, usePlace } from "../router";
import type { Brief, Context, Find, Lines, Listing, Status } from "../types";
import { Card, Check, Choice, Empty, fileHref, FileLink, Notes, Shown, symbolHref, SymbolRow, Waiting } from "../ui";
import { count, many } from "../words";

const WHAT = [["all", "All"], ["symbols", "Symbols"], ["files", "Files"], ["lines", "Lines"], ["meaning", "Meaning"]] as const;
type What = (typeof WHAT)[number][0];

const KINDS = ["function", "method", "class", "interface", "enum", "constant", "variable", "field", "module"];

interface Files {
  files: { file: string; language: string; lines: number; symbols: number }[];
  total: number;
}

interface Hit {
  to: string;
  file: string;
  line: number;
  end: number;
}

const ofSymbol = (symbol: Brief): Hit => ({ to: symbolHref(symbol.symbol_id), file: symbol.file, line: symbol.line_number, end: symbol.end_line });

export function SearchView() {
  const { params } = usePlace();
  const typed = params.get("q") ?? "";
  const text = useSettled(typed.trim(), 40);
  const what = (params.get("in") ?? "all") as What;
  const kind = params.get("kind") ?? "";
  const language = params.get("language") ?? "";
  const folder = params.get("folder") ?? "";
  const noTests = params.get("tests") === "no";
  const words = text.split(/\s+/).filter(Boolean).length;
  const on = (part: What) => text !== "" && (what === part || what === "all");
  const filter = { file_filter: folder, limit: what === "all" ? 12 : 60 };
  const kinds = kind ? [kind] : undefined;
  const languages = language ? [language] : undefined;
  const symbols = useAsk<Find>(on("symbols") && words === 1 ? "find" : null, { ...filter, name: text, mode: "contains", kinds, languages });
  const files = useAsk<Files>(on("files") && words === 1 && !kind ? "files" : null, { ...filter, name: text, no_tests: noTests, limit: what === "all" ? 6 : 60 });
  const lines = useAsk<Lines>(on("lines") && !kind ? "query" : null, { ...filter, term: text, mode: words === 1 ? "starts_with" : undefined });
  const meaning = useAsk<Context>((what === "meaning" && text !== "") || (what === "all" && words > 1) ? "context" : null, { task: text, max_tokens: 3000 });
  const keep = <T extends { file: string }>(rows: T[]) => (noTests ? rows.filter((row) => !isTest(row.file)) : rows);
  const found = {
    symbols: on("symbols") && words === 1 ? keep(symbols.data?.symbols ?? []) : [],
    files: on("files") ? (files.data?.files ?? []) : [],
    meaning: words > 1 || what === "meaning" ? keep(meaning.data?.symbols ?? []) : [],
    lines: on("lines") ? keep(lines.data?.matches ?? []) : [],
  };
  const hits: Hit[] = [
    ...found.meaning.map(ofSymbol),
    ...found.symbols.map(ofSymbol),
    ...found.files.map((one) => ({ to: fileHref(one.file), file: one.file, line: 1, end: 40 })),
    ...found.lines.map((one) => ({ to: fileHref(one.file, one.line_number), file: one.file, line: one.line_number, end: one.line_number })),
  ];
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [text, what, kind, language, folder]);
  const chosen = hits[Math.min(at, hits.length - 1)];
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && /^(SELECT|TEXTAREA|BUTTON|A)$/.test(event.target.tagName)) return;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step && hits.length) {
        event.preventDefault();
        const next = Math.max(0, Math.min(hits.length - 1, at + step));
        setAt(next);
        document.getElementById(`hit-${next}`)?.scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter" && chosen) {
        event.preventDefault();
        go(chosen.to);
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hits.length, at, chosen?.to]);
  useEffect(() => document.getElementById("search-box")?.focus(), []);
  let number = 0;
  const row = () => {
    const own = number++;
    return { id: `hit-${own}`, class: own === at ? "hit at" : "hit", onMouseEnter: () => setAt(own) };
  };
  const waiting = [symbols, files, lines, meaning].some((one) => one.loading && !one.data);
  return (
    <>
      <h1 class="hidden">Search</h1>
      <Filters what={what} kind={kind} language={language} folder={folder} noTests={noTests} />
      {!text && <Empty>Type a name, a part of one, or what the code should do. <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens.</Empty>}
      {text && (
        <div class="split">
          <div class="results">
            {found.meaning.length > 0 && (
              <Card title="By meaning">
                <ul class="rows">{found.meaning.map((one) => <li key={one.symbol_id} {...row()}><SymbolRow symbol={one} /></li>)}</ul>
              </Card>
            )}
            {found.symbols.length > 0 && (
              <Card title="Symbols" aside={many(symbols.data!.total, "match", "matches")}>
                <ul class="rows">{found.symbols.map((one) => <li key={one.symbol_id} {...row()}><SymbolRow symbol={one} /></li>)}</ul>
              </Card>
            )}
            {found.files.length > 0 && (
              <Card title="Files" aside={many(files.data!.total, "match", "matches")}>
                <ul class="rows">{found.files.map((one) => <li key={one.file} {...row()}><FileLink path={one.file} /><span class="quiet">{many(one.lines, "line")}</span></li>)}</ul>
              </Card>
            )}
            {found.lines.length > 0 && (
              <Card title="Lines" aside={`${many(lines.data!.total_matches, "line")} in ${many(lines.data!.files_matched, "file")}${lines.data!.in_strings ? ` + ${count(lines.data!.in_strings)} in strings` : ""}`}>
                <ul class="rows">
                  {found.lines.map((one, i) => (
                    <li key={i} {...row()}>
                      <a class="found-line" href={fileHref(one.file, one.line_number)}>
                        <span class="mono where">{one.file}:{one.line_number}</span>
                        <Found line={one} />
                      </a>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {hits.length === 0 && (waiting ? <Waiting /> : <Nothing find={symbols.data} text={text} />)}
          </div>
          <aside class="preview" aria-label="preview">{chosen && <Preview key={`${chosen.file}:${chosen.line}`} hit={chosen} />}</aside>
        </div>
      )}
    </>
  );
}

function Found({ line }: { line: { text: string; start_col: number; end_col: number } }) {
  const encoded = new TextEncoder().encode(line.text);
  const part = (from: number, to?: number) => new TextDecoder().decode(encoded.slice(from, to));
  return <code class="text">{part(0, line.start_col).trimStart()}<mark>{part(line.start_col, line.end_col)}</mark>{part(line.end_col)}</code>;
}

function Nothing({ find, text }: { find: Find | undefined; text: string }) {
  return (
    <Card title={`Nothing matches ${text}`}>
      {!!find?.nearest?.length && <p>Close to it: {find.nearest.map((name, i) => <>{i > 0 && ", "}<a class="mono" href={href("/search", { q: name })}>{name}</a></>)}</p>}
      {find && <Notes of={find} />}
    </Card>
  );
}

function Filters(props: { what: What; kind: string; language: string; folder: string; noTests: boolean }) {
  const status = useAsk<Status>("status");
  return (
    <div class="filters">
      <Choice label="What to search" value={props.what} options={WHAT} onChange={(value) => change({ in: value === "all" ? "" : value })} />
      <label>Kind{" "}
        <select value={props.kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
          <option value="">any</option>
          {KINDS.map((kind) => <option key={kind} value={kind}>{kind}</option>)}
        </select>
      </label>
      <label>Language{" "}
        <select value={props.language} onChange={(event) => change({ language: event.currentTarget.value })}>
          <option value="">any</option>
          {status.data?.languages.map((one) => <option key={one.language} value={one.language}>{one.language}</option>)}
        </select>
      </label>
      <label>Folder <input type="text" value={props.folder} placeholder="src/ or *.py" onInput={(event) => change({ folder: event.currentTarget.value })} /></label>
      <Check label="without tests" checked={props.noTests} onChange={(on) => change({ tests: on ? "no" : "" })} />
    </div>
  );
}

const MOST_LINES = 60;

function Preview({ hit }: { hit: Hit }) {
  const from = Math.max(1, hit.line - (hit.end > hit.line ? 3 : 12));
  const to = Math.min(Math.max(hit.end + 2, hit.line + 14), from + MOST_LINES);
  const listing = useAsk<Listing>("listing", { file: hit.file, from, to });
  return (
    <Card title={<FileLink path={hit.file} line={hit.line} />}>
      <Shown asked={listing} lines={10}>{(data) => <Code listing={data} mark={hit.line} />}</Shown>
    </Card>
  );
}

/** The last of several values that follow each other quickly. */
function useSettled(value: string, wait: number): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), wait);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?|specs?|__tests__|testing|e2e)\//.test(path) || /(^|\/)(test_|conftest)|[._](test|spec)s?\.[^/]*$/i.test(path);
}

