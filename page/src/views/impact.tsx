// What a change touches, level by level: of a symbol, of what is not committed, of a commit or of a range.
import { useState } from "preact/hooks";
import { useAsk } from "../api";
import { Picker } from "../picker";
import { change, href, usePlace } from "../router";
import type { Affected, Brief, Certainty, Diff, Impact, Unselected } from "../types";
import { isUnselected } from "../types";
import { Card, Choice, Choices, Empty, Few, FileLink, Notes, Shown, Sure, SymbolRow } from "../ui";
import { count, many } from "../words";

const OF = [["symbol", "A symbol"], ["diff", "A difference"]] as const;

export function ImpactView() {
  const { params } = usePlace();
  const symbol = params.get("symbol");
  const diff = params.get("diff");
  const [of, setOf] = useState<"symbol" | "diff">(diff !== null && symbol === null ? "diff" : "symbol");
  return (
    <>
      <h1 class="title">Impact</h1>
      <div class="filters">
        <Choice label="Impact of" value={of} options={OF} onChange={(value) => { setOf(value); if (value === "diff" && diff === null) change({ diff: "HEAD", symbol: "" }); }} />
        {of === "symbol"
          ? <Picker label="Symbol" value={symbol ?? ""} onPick={(id) => change({ symbol: id, diff: "" }, false)} />
          : <Revisions value={diff ?? "HEAD"} />}
      </div>
      {of === "symbol" && (symbol ? <OfSymbol symbol={symbol} /> : <Empty>Pick a symbol to see everything that a change of it reaches.</Empty>)}
      {of === "diff" && <OfDiff revisions={diff ?? "HEAD"} />}
    </>
  );
}

function Revisions({ value }: { value: string }) {
  const [typed, set] = useState(value);
  const submit = (event: Event) => {
    event.preventDefault();
    change({ diff: typed, symbol: "" }, false);
  };
  return (
    <form class="inline" onSubmit={submit}>
      <label>Revisions <input type="text" class="mono" value={typed} placeholder="HEAD, main..HEAD, abc123~1..abc123" onInput={(event) => set(event.currentTarget.value)} /></label>
      <button class="button" type="submit">Compare</button>
      <button class="button" type="button" onClick={() => { set("HEAD"); change({ diff: "HEAD", symbol: "" }, false); }}>Working tree</button>
    </form>
  );
}

function OfSymbol({ symbol }: { symbol: string }) {
  const asked = useAsk<Impact | Unselected>("impact", { symbol, depth: 6, limit: 500 });
  return (
    <Shown asked={asked} lines={10}>
      {(data) => {
        if (isUnselected(data)) return <Choices of={data} />;
        return (
          <>
            <Card title={<SymbolRow symbol={data.symbol} />}>
              <p class="lead">
                A change reaches <strong>{many(data.total, "symbol")}</strong> and <strong>{many(data.total_tests, "test")}</strong> in {many(data.files, "file")}.
              </p>
              <Notes of={data} />
            </Card>
            <div class="columns">
              <div><Levels title="Code" rows={data.affected} total={data.total} empty="Nothing is proven to depend on it." /></div>
              <div><Levels title="Tests" rows={data.tests} total={data.total_tests} empty="No test is proven to reach it." /></div>
            </div>
          </>
        );
      }}
    </Shown>
  );
}

interface Level {
  depth: number;
  symbol: Brief;
  via: string;
  kind: string;
  certainty: Certainty;
}

function Levels({ title, rows, total, empty }: { title: string; rows: (Affected | Level)[]; total: number; empty: string }) {
  const depths = [...new Set(rows.map((row) => row.depth))].sort((a, b) => a - b);
  return (
    <Card title={title} aside={count(total)} class="levels">
      {rows.length === 0 && <Empty>{empty}</Empty>}
      {depths.map((depth) => {
        const level = rows.filter((row) => row.depth === depth);
        return (
          <section key={depth} aria-label={`level ${depth}`}>
            <h3>{depth === 0 ? "Changed itself" : depth === 1 ? "Directly" : `${depth} steps away`} <span class="quiet">{count(level.length)}</span></h3>
            <Few rows={level} most={15}>
              {(row) => (
                <span class="call" title={`${row.kind} of ${row.via}`}>
                  <SymbolRow symbol={row.symbol} place={false} />
                  <span class="tag">{row.kind.replaceAll("_", " ")}</span>
                  <Sure certainty={row.certainty} />
                  <FileLink path={row.symbol.file} line={row.symbol.line_number} quiet />
                </span>
              )}
            </Few>
          </section>
        );
      })}
      {total > rows.length && rows.length > 0 && <p class="quiet">{count(rows.length)} of {count(total)} are shown.</p>}
    </Card>
  );
}

function OfDiff({ revisions }: { revisions: string }) {
  const asked = useAsk<Diff>("diff", { revisions, depth: 4, limit: 300 });
  return (
    <Shown asked={asked} lines={10}>
      {(data) => (
        <>
          <Card title={data.to ? "Between two commits" : "Since that commit, in the working tree"} aside={<span class="mono">{data.from.slice(0, 9)}{data.to ? `..${data.to.slice(0, 9)}` : ""}</span>}>
            <p class="lead">
              <strong>{many(data.total, "symbol")}</strong> in {many(data.total_files, "file")} {data.total === 1 ? "differs" : "differ"}; that concerns <strong>{many(data.total_concerned, "other symbol")}</strong> and{" "}
              <strong>{count(data.total_tests)}</strong> of {many(data.all_tests, "test")}.
            </p>
            <Notes of={data} />
            <Few rows={data.symbols} most={20}>
              {(one) => (
                <span class="call">
                  <span class={`fate ${one.fate}`}>{one.fate}</span>
                  <SymbolRow symbol={one.symbol}>{!!one.parts?.length && <span class="quiet">{one.parts.join(", ")}</span>}</SymbolRow>
                </span>
              )}
            </Few>
          </Card>
          <div class="columns">
            <div>
              <Levels title="Concerned" total={data.total_concerned} empty="Nobody else."
                rows={data.concerned.map((one) => ({ ...one, depth: one.level, kind: one.step }))} />
            </div>
            <div>
              <Card title="Tests that get there" aside={`${count(data.total_tests)} of ${count(data.all_tests)}`}>
                {data.tests.length === 0 && <Empty>No test gets there.</Empty>}
                <Few rows={data.tests} most={20}>
                  {(test) => (
                    <span class="call">
                      <a class="mono name" href={href("/file", { path: test.file }, test.line_number ? `L${test.line_number}` : "")}>{test.name}</a>
                      <span class="tag">{test.level === 0 ? "changed" : `${test.level}`}</span>
                      <Sure certainty={test.certainty} />
                    </span>
                  )}
                </Few>
              </Card>
            </div>
          </div>
        </>
      )}
    </Shown>
  );
}
