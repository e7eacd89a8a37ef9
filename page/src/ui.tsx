// The parts that views are made of.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Asked } from "./api";
import { href } from "./router";
import type { Brief, Certainty, Remarks, Unselected } from "./types";
import { fileName, folderOf, scoped } from "./words";

/** What kind of thing a kind is, for its colour. */
export function family(kind: string): string {
  const word = kind.toLowerCase().replaceAll(" ", "_");
  if (/^(function|method|constructor|destructor|operator|macro|getter|setter)$/.test(word)) return "callable";
  if (/^(class|struct|record|object|enum|union|impl|type_alias)$/.test(word)) return "type";
  if (/^(interface|protocol|trait)$/.test(word)) return "contract";
  if (/^(module|namespace|package|heading)$/.test(word)) return "module";
  return "value";
}

const LETTERS: Record<string, string> = {
  function: "ƒ", method: "m", constructor: "m", class: "C", struct: "S", record: "R", enum: "E", union: "U", interface: "I",
  trait: "T", protocol: "P", module: "M", namespace: "N", package: "P", constant: "k", static: "k", variable: "v", field: "f",
  property: "p", getter: "p", setter: "p", macro: "!", type_alias: "t", impl: "i", heading: "#", enum_member: "e", object: "O",
};

export function Kind({ kind }: { kind: string }) {
  const word = kind.toLowerCase().replaceAll(" ", "_");
  return (
    <span class={`kind ${family(word)}`} title={word.replaceAll("_", " ")}>
      <span aria-hidden="true">{LETTERS[word] ?? word[0] ?? "·"}</span>
      <span class="hidden">{word.replaceAll("_", " ")}</span>
    </span>
  );
}

const SURE: Record<Certainty, string> = {
  exact: "exact: scope, import or declared type prove it",
  inferred: "inferred: a local type inference proves it",
  candidate: "candidate: only the name matches",
};

export function Sure({ certainty }: { certainty: Certainty }) {
  if (certainty === "exact") return null;
  return <span class={`sure ${certainty}`} title={SURE[certainty]}>{certainty}</span>;
}

export const symbolHref = (id: string) => href("/symbol", { id });
export const fileHref = (path: string, line?: number) => href("/file", { path }, line ? `L${line}` : "");

/** A symbol in one line: kind, name, where. */
export function SymbolRow({ symbol, children, place = true }: { symbol: Brief; children?: ComponentChildren; place?: boolean }) {
  const [scope, name] = scoped(symbol);
  return (
    <span class="symbol-row">
      <Kind kind={symbol.kind} />
      <a class="name mono" href={symbolHref(symbol.symbol_id)} title={symbol.fqn}>
        <span class="scope">{scope}</span>
        <span class="own">{name}</span>
      </a>
      {children}
      {place && <FileLink path={symbol.file} line={symbol.line_number} quiet />}
    </span>
  );
}

export function FileLink({ path, line, quiet = false }: { path: string; line?: number; quiet?: boolean }) {
  const folder = folderOf(path);
  return (
    <a class={`file mono${quiet ? " quiet" : ""}`} href={fileHref(path, line)} title={line ? `${path}:${line}` : path}>
      {folder && <span class="folder">{folder}/</span>}
      <span class="base">{fileName(path)}{line ? `:${line}` : ""}</span>
    </a>
  );
}

/** A titled part of a view. */
export function Card(props: { title: ComponentChildren; aside?: ComponentChildren; class?: string; children: ComponentChildren; id?: string }) {
  return (
    <section class={`card ${props.class ?? ""}`} id={props.id}>
      <header>
        <h2>{props.title}</h2>
        {props.aside && <div class="aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** Shows an answer once it is there, and what is wrong if there is none. */
export function Shown<T>({ asked, children, lines = 4 }: { asked: Asked<T>; children: (data: T) => ComponentChildren; lines?: number }) {
  if (asked.error) return <Wrong error={asked.error} />;
  if (asked.data === undefined) return <Waiting lines={lines} />;
  return <div class={asked.loading ? "again" : undefined} aria-busy={asked.loading}>{children(asked.data)}</div>;
}

export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="loading">
      {Array.from({ length: lines }, (_, i) => <div key={i} class={`bone w${i % 4}`} />)}
    </div>
  );
}

export function Wrong({ error }: { error: { message: string; hint: string | null } }) {
  return (
    <div class="wrong" role="alert">
      <strong>{error.message}</strong>
      {error.hint && <span>{error.hint}</span>}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** What has to be known besides an answer. */
export function Notes({ of }: { of: Remarks }) {
  const stale = of.stale_files ?? [];
  if (!of.notes?.length && !stale.length) return null;
  return (
    <ul class="notes">
      {of.notes?.map((note, i) => <li key={i}>{note}</li>)}
      {stale.length > 0 && <li>changed since they were read: {stale.join(", ")}</li>}
    </ul>
  );
}

/** Several symbols fit, or none. */
export function Choices({ of }: { of: Unselected }) {
  return (
    <Card title={of.ambiguous ? `Several symbols are called ${of.selector}` : `Nothing is called ${of.selector}`}>
      {of.choices.length > 0 && (
        <ul class="rows">{of.choices.map((one) => <li key={one.symbol_id}><SymbolRow symbol={one} /></li>)}</ul>
      )}
      {!!of.nearest?.length && (
        <p>
          Close to it:{" "}
          {of.nearest.map((name, i) => <>{i > 0 && ", "}<a class="mono" href={href("/search", { q: name })}>{name}</a></>)}
        </p>
      )}
      <Notes of={of} />
    </Card>
  );
}

/** One of several, chosen with the mouse or the arrow keys. */
export function Choice<T extends string>(props: { label: string; value: T; options: readonly (readonly [T, string])[]; onChange: (value: T) => void }) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLDivElement }) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const at = props.options.findIndex(([value]) => value === props.value);
    const next = (at + step + props.options.length) % props.options.length;
    props.onChange(props.options[next]![0]);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  return (
    <div class="choice" role="radiogroup" aria-label={props.label} onKeyDown={move}>
      {props.options.map(([value, text]) => (
        <button key={value} type="button" role="radio" aria-checked={value === props.value} tabIndex={value === props.value ? 0 : -1} onClick={() => props.onChange(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Check({ label, checked, onChange, title }: { label: string; checked: boolean; onChange: (on: boolean) => void; title?: string }) {
  return (
    <label class="check" title={title}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export function Copy({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return <button type="button" class="button" onClick={copy} aria-live="polite">{done ? "Copied" : label}</button>;
}

export function save(name: string, kind: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A bar in parts, each with its words. */
export function Parts({ parts, label }: { parts: { size: number; color: string; words: string }[]; label: string }) {
  const all = parts.reduce((sum, part) => sum + part.size, 0) || 1;
  return (
    <div class="parts" role="img" aria-label={label}>
      {parts.filter((part) => part.size > 0).map((part) => (
        <span key={part.words} class={part.color} title={part.words} style={{ width: `${(100 * part.size) / all}%` }} />
      ))}
    </div>
  );
}

/** A list of which the first rows are shown until all are wanted. */
export function Few<T>({ rows, most = 12, children }: { rows: T[]; most?: number; children: (row: T, i: number) => ComponentChildren }) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, most);
  return (
    <>
      <ul class="rows">{shown.map((row, i) => <li key={i}>{children(row, i)}</li>)}</ul>
      {rows.length > most && !all && (
        <button type="button" class="more" onClick={() => setAll(true)}>Show {rows.length - most} more</button>
      )}
    </>
  );
}

/** The folders around something, each a link. */
export function Crumbs({ path, folder = false }: { path: string; folder?: boolean }) {
  const parts = path.split("/").filter(Boolean);
  const shown = parts.slice(0, -1);
  if (!parts.length && folder) return null;
  return (
    <nav class="crumbs mono" aria-label="folders">
      <a href="/tree">all</a>
      {shown.map((part, i) => <> / <a key={i} href={href("/tree", { path: parts.slice(0, i + 1).join("/") })}>{part}</a></>)}
      {" /"}
    </nav>
  );
}
