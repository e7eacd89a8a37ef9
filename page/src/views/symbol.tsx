// One symbol: what it is, its source, who uses it and what it uses, and what git remembers of it.
import { useEffect, useState } from "preact/hooks";
import { useAsk } from "../api";
import { Code } from "../code";
import { href, usePlace } from "../router";
import type { Calls, Entities, Get, Hierarchy, Hover, Info, Listing, Refs, Relative, SymbolHistory, Unselected } from "../types";
import { isUnselected } from "../types";
import { Card, Choice, Choices, Crumbs, Empty, family, Few, fileHref, FileLink, Kind, Notes, Shown, Sure, SymbolRow, Waiting } from "../ui";
import { ago, count, many, split } from "../words";

export function SymbolView() {
  const { params } = usePlace();
  const id = params.get("id") ?? "";
  const found = useAsk<Get | Unselected>("get", { symbol: id });
  return (
    <Shown asked={found} lines={10}>
      {(data) => (isUnselected(data) ? <Choices of={data} /> : <Symbol key={data.symbol.symbol_id} of={data} />)}
    </Shown>
  );
}

function Symbol({ of }: { of: Get }) {
  const symbol = of.symbol;
  const [scope, name] = split(symbol.fqn, symbol.name);
  const kind = symbol.kind.toLowerCase();
  const group = family(kind);
  // What it is comes first; who uses it may take longer to find out.
  const [shown, setShown] = useState(false);
  return (
    <>
      <Crumbs path={symbol.file} />
      <h1 class="title mono symbol-title"><Kind kind={kind} /><span><span class="scope">{scope}</span>{name}</span></h1>
      <p class="facts">
        {[symbol.visibility, ...(symbol.flags ?? []), kind.replaceAll("_", " ")].filter(Boolean).join(" ")} · <FileLink path={symbol.file} line={symbol.line_number} />
        {" · "}<a href={href("/impact", { symbol: symbol.symbol_id })}>impact</a> · <a href={href("/graph", { focus: symbol.symbol_id })}>graph</a>
      </p>
      {symbol.signature && <pre class="signature mono">{symbol.signature}</pre>}
      <Documentation symbol={symbol} />
      <Notes of={of} />
      <div class="columns source-columns">
        <div>
          <Source of={of} shown={() => setShown(true)} />
          {shown && <History symbol={symbol} />}
        </div>
        <div>
          {shown ? <>
            {group !== "type" && group !== "contract" && <CallList symbol={symbol} name="callers" title="Callers" empty="Nothing is proven to call it." />}
            {group === "callable" && <CallList symbol={symbol} name="callees" title="Calls" empty="It calls nothing of the project." />}
            {(group === "type" || group === "contract") && <Family symbol={symbol} />}
            {(group === "type" || group === "contract") && <CallList symbol={symbol} name="callers" title="Made by" empty="Nothing is proven to make one." />}
            <Dependents symbol={symbol} />
            {group === "callable" && <ValueUses symbol={symbol} />}
          </> : <Waiting />}
        </div>
      </div>
    </>
  );
}

function Documentation({ symbol }: { symbol: Info }) {
  const hover = useAsk<Hover>("hover", { place: symbol.symbol_id });
  const text = hover.data?.documentation;
  return text ? <p class="documentation">{text}</p> : null;
}

const FIRST = 80;

function Source({ of, shown }: { of: Get; shown: () => void }) {
  const { start_line: first, end_line: last } = of.content_place;
  const [all, setAll] = useState(false);
  const to = all ? last : Math.min(last, first + FIRST - 1);
  const listing = useAsk<Listing>("listing", { file: of.symbol.file, from: first, to });
  useEffect(() => void (listing.loading || shown()), [listing.loading]);
  return (
    <Card title="Source" aside={<a href={fileHref(of.symbol.file, of.symbol.line_number)}>lines {count(first)}–{count(last)}</a>}>
      <Shown asked={listing} lines={14}>
        {(data) => (
          <>
            <Code listing={data} />
            {to < last && <button type="button" class="more" onClick={() => setAll(true)}>Show {many(last - to, "more line")}</button>}
          </>
        )}
      </Shown>
    </Card>
  );
}

const DEPTHS = [["1", "direct"], ["2", "2 levels"], ["3", "3 levels"]] as const;

function CallList({ symbol, name, title, empty }: { symbol: Info; name: "callers" | "callees"; title: string; empty: string }) {
  const [depth, setDepth] = useState<"1" | "2" | "3">("1");
  const asked = useAsk<Calls | Unselected>(name, { symbol: symbol.symbol_id, depth, limit: 200 });
  return (
    <Card title={title} aside={<Choice label="how far" value={depth} options={DEPTHS} onChange={setDepth} />} class={name}>
      <Shown asked={asked}>
        {(data) => {
          if (isUnselected(data)) return <Empty>{empty}</Empty>;
          const own = data.calls.filter((call) => !call.external);
          const foreign = data.calls.filter((call) => call.external);
          return (
            <>
              {own.length === 0 && <Empty>{empty}</Empty>}
              <Few rows={own} most={12}>
                {(call) => (
                  <span class={`call deep${Math.min(call.depth - 1, 4)}`}>
                    {call.symbol ? <SymbolRow symbol={call.symbol} place={false} /> : <span class="mono">{call.name}</span>}
                    <Sure certainty={call.certainty} />
                    <FileLink path={call.file} line={call.lines[0]} quiet />
                  </span>
                )}
              </Few>
              {foreign.length > 0 && <p class="quiet">Outside of the project: <span class="mono">{foreign.map((call) => call.name).join(", ")}</span></p>}
              {data.total > data.calls.length && <p class="quiet">{count(data.calls.length)} of {count(data.total)} are shown.</p>}
              {data.unbound.total > 0 && <p class="quiet">{many(data.unbound.total, "more site names", "more sites name")} it without proof.</p>}
              <Notes of={data} />
            </>
          );
        }}
      </Shown>
    </Card>
  );
}

function Family({ symbol }: { symbol: Info }) {
  const asked = useAsk<Hierarchy | Unselected>("hierarchy", { symbol: symbol.symbol_id, limit: 200 });
  return (
    <Card title="Above and below it" class="family">
      <Shown asked={asked}>
        {(data) => {
          if (isUnselected(data)) return <Empty>It has no relatives.</Empty>;
          return (
            <>
              <h3>Made of {data.total_bases === 0 && <span class="quiet">nothing else</span>}</h3>
              <Few rows={data.bases} most={8}>{(one) => <Kin of={one} />}</Few>
              <h3>Implemented or extended by {data.total_heirs === 0 ? <span class="quiet">nothing</span> : <span class="quiet">{count(data.total_heirs)}</span>}</h3>
              <Few rows={data.heirs} most={10}>{(one) => <Kin of={one} />}</Few>
            </>
          );
        }}
      </Shown>
    </Card>
  );
}

function Kin({ of }: { of: Relative }) {
  return (
    <span class={`deep${Math.min(of.depth - 1, 4)}`}>
      {of.symbol ? <SymbolRow symbol={of.symbol} /> : <span class="mono quiet">{of.name}</span>}
    </span>
  );
}

function Dependents({ symbol }: { symbol: Info }) {
  const asked = useAsk<Entities | Unselected>("get_entity_dependents", { symbol: symbol.symbol_id, limit: 100 });
  return (
    <Card title="Depends on it" class="dependents">
      <Shown asked={asked}>
        {(data) => isUnselected(data) || data.references.length === 0 ? <Empty>No function or type of the project is proven to.</Empty> : (
          <>
            <Few rows={together(data.references)} most={10}>
              {({ one, kinds, places }) => (
                <span class="call">
                  {one.entity ? <SymbolRow symbol={one.entity} place={false} /> : <span class="mono">{one.name}</span>}
                  <span class="tag">{kinds.join(", ")}{places > 1 && ` ×${places}`}</span>
                  <Sure certainty={one.certainty} />
                  <FileLink path={one.file_path} line={one.line} quiet />
                </span>
              )}
            </Few>
            {data.total > data.references.length && <p class="quiet">{count(data.references.length)} of {count(data.total)} are shown.</p>}
          </>
        )}
      </Shown>
    </Card>
  );
}

type Dependent = Entities["references"][number];

/** Each dependent once, with all that it does. */
function together(references: Dependent[]): { one: Dependent; kinds: string[]; places: number }[] {
  const rows = new Map<string, { one: Dependent; kinds: string[]; places: number }>();
  for (const one of references) {
    const key = one.entity?.symbol_id ?? `${one.file_path} ${one.name}`;
    const row = rows.get(key) ?? { one, kinds: [], places: 0 };
    row.places += 1;
    if (!row.kinds.includes(one.ref_type)) row.kinds.push(one.ref_type);
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** Places that hand a function on instead of calling it. */
function ValueUses({ symbol }: { symbol: Info }) {
  const asked = useAsk<Refs | Unselected>("refs", { symbol: symbol.symbol_id, kinds: ["read", "attribute", "write"], limit: 60 });
  if (!asked.data || isUnselected(asked.data) || asked.data.references.length === 0) return null;
  const data = asked.data;
  return (
    <Card title="Used as a value" aside={many(data.total, "place")}>
      <Few rows={data.references} most={8}>
        {(site) => (
          <span class="site">
            <FileLink path={site.file} line={site.line_number} />
            <code class="text">{site.text}</code>
          </span>
        )}
      </Few>
    </Card>
  );
}

function History({ symbol }: { symbol: Info }) {
  const [wanted, setWanted] = useState(false);
  const asked = useAsk<SymbolHistory>(wanted ? "history" : null, { symbol: symbol.symbol_id });
  return (
    <Card title="History" aside="git log -L">
      {!wanted ? <button type="button" class="more" onClick={() => setWanted(true)}>Show the commits that changed it</button> : (
        <Shown asked={asked}>
          {(data) => {
            if (!data.commits) return <Empty>There is no git here, or nothing of this file is committed.</Empty>;
            return (
              <>
                {data.of === "file" && <p class="quiet">The file has changes that are not committed: these are its commits.</p>}
                <ol class="rows commits">
                  {data.commits.map((one) => (
                    <li key={one.commit}>
                      <a class="mono" href={href("/impact", { diff: `${one.commit}~1..${one.commit}` })} title="what this commit concerns">{one.commit.slice(0, 9)}</a>
                      <span class="subject">{one.subject}</span>
                      <span class="quiet nowrap">{one.author}, {ago(Date.parse(one.date) / 1000)}</span>
                    </li>
                  ))}
                </ol>
                {data.commits.length === 0 && <Empty>No commit has changed it.</Empty>}
                {data.partial && <p class="quiet">The history is long: git was stopped before its end.</p>}
              </>
            );
          }}
        </Shown>
      )}
    </Card>
  );
}
