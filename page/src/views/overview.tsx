// What the project is, where it starts, what everything leans on, and how well it is known.
import { useContext } from "preact/hooks";
import { About } from "../about";
import { useAsk } from "../api";
import { href } from "../router";
import type { Central, Diff, Health, HotSpots, Listing, Overview, Status } from "../types";
import { Card, Empty, Few, FileLink, Parts, Shown, SymbolRow } from "../ui";
import { ago, bytes, compact, count, many, share } from "../words";

export function OverviewView() {
  const about = useContext(About);
  const status = useAsk<Status>("status");
  const overview = useAsk<Overview>("overview");
  const central = useAsk<Central>("central", { limit: 30 });
  // The others start from what this one gathers: asked together, each would gather it.
  const known = central.data !== undefined || central.error !== undefined;
  return (
    <>
      <h1 class="title">{status.data?.project_name ?? about?.name ?? "…"}</h1>
      <Purpose />
      <Shown asked={status} lines={2}>{(data) => <Numbers status={data} />}</Shown>
      <div class="columns">
        <div>
          {about?.history && <Changes />}
          <Card title="Most central files" aside="used by other files">
            <Shown asked={central}>
              {(data) => data.files.length === 0 ? <Empty>No file uses another one.</Empty> : (
                <Few rows={data.files} most={8}>
                  {(file) => (
                    <span class="bar-row">
                      <FileLink path={file.file} />
                      <span class="weight" title={`${many(file.references, "reference")}; ${many(file.used_by_tests, "test file")}`}>
                        <span class="fill" style={{ width: `${(100 * file.used_by_files) / data.files[0]!.used_by_files}%` }} />
                        <span class="text">{count(file.used_by_files)}</span>
                      </span>
                    </span>
                  )}
                </Few>
              )}
            </Shown>
          </Card>
          <Card title="Most central symbols" aside="used by other files">
            <Shown asked={central}>
              {(data) => data.symbols.length === 0 ? <Empty>No symbol is used by another file.</Empty> : (
                <Few rows={data.symbols} most={10}>
                  {(symbol) => <SymbolRow symbol={symbol}><span class="number">{count(symbol.used_by_files)}</span></SymbolRow>}
                </Few>
              )}
            </Shown>
          </Card>
        </div>
        <div>
          <Card title="Where it starts">
            <Shown asked={overview}>
              {(data) => data.entry_points.length === 0 ? <Empty>Nothing looks like an entry point.</Empty> : (
                <Few rows={data.entry_points} most={8}>
                  {(entry) => entry.symbol ? <SymbolRow symbol={entry.symbol} /> : <FileLink path={entry.file} />}
                </Few>
              )}
            </Shown>
          </Card>
          <HotSpotsCard after={known} />
          <Card title="How much is known" aside={<a href="/sql">ask in SQL</a>}><Known after={known} /></Card>
          {status.data && <Index status={status.data} />}
        </div>
      </div>
    </>
  );
}

/** What the project says about itself: the first paragraph of its README. */
function Purpose() {
  const files = useAsk<{ files: { file: string }[] }>("files", { name: "readme", limit: 5 });
  const file = files.data?.files.find((one) => /^readme[^/]*$/i.test(one.file))?.file;
  const listing = useAsk<Listing>(file ? "listing" : null, { file, to: 60 });
  const text = listing.data ? paragraph(listing.data.lines.map((line) => line.map((piece) => piece.text).join(""))) : "";
  return text ? <p class="purpose">{text}</p> : null;
}

/** The first lines that are prose: no heading, no badge, no markup. */
function paragraph(lines: string[]): string {
  const prose: string[] = [];
  for (const line of lines) {
    const is = line.trim() !== "" && !/^\s*(#|<|!?\[|[-=*_`|>]{3}|\.\.)/.test(line);
    if (is) prose.push(line.trim());
    else if (prose.length) break;
  }
  const text = prose.join(" ").replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1").replace(/[`*]/g, "");
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

function Numbers({ status }: { status: Status }) {
  const { statistics: s, languages } = status;
  const all = languages.reduce((sum, one) => sum + one.bytes, 0);
  const sorted = [...languages].sort((a, b) => b.bytes - a.bytes);
  const numbers: [string, number][] = [["files", s.files], ["lines", s.lines], ["symbols", s.symbols], ["types", s.types], ["functions", s.methods], ["terms", s.items]];
  return (
    <div class="numbers card">
      <dl>{numbers.map(([what, n]) => <div key={what}><dd title={count(n)}>{compact(n)}</dd><dt>{what}</dt></div>)}</dl>
      <Parts label="languages by size" parts={sorted.map((one, i) => ({ size: one.bytes, color: `hue${i % 8}`, words: `${one.language} ${share(one.bytes, all)}` }))} />
      <ul class="legend">
        {sorted.slice(0, 8).map((one, i) => (
          <li key={one.language}><span class={`dot hue${i % 8}`} />{one.language} <span class="quiet">{share(one.bytes, all)} · {many(one.files, "file")}</span></li>
        ))}
      </ul>
    </div>
  );
}

function Changes() {
  const diff = useAsk<Diff>("diff", { limit: 8 });
  if (diff.error) return null;
  return (
    <Card title="Since the last commit" aside={<a href={href("/impact", { diff: "HEAD" })}>see the impact</a>}>
      <Shown asked={diff} lines={2}>
        {(data) => data.total_files === 0 ? <Empty>Nothing has changed.</Empty> : (
          <>
            <p>
              {many(data.total_files, "file")} and {many(data.total, "symbol")} changed; that concerns {many(data.total_concerned, "other symbol")} and{" "}
              {count(data.total_tests)} of {many(data.all_tests, "test")}.
            </p>
            <ul class="rows">
              {data.symbols.map((one) => <li key={one.symbol.symbol_id}><SymbolRow symbol={one.symbol}><span class={`fate ${one.fate}`}>{one.fate}</span></SymbolRow></li>)}
            </ul>
          </>
        )}
      </Shown>
    </Card>
  );
}

function HotSpotsCard({ after }: { after: boolean }) {
  const spots = useAsk<HotSpots>(after ? "hot_spots" : null, { limit: 8 });
  if (spots.data?.commits === 0) return null;
  return (
    <Card title="Hot spots" aside="central and often changed">
      <Shown asked={spots}>
        {(data) => data.files.length === 0 ? <Empty>No file is both.</Empty> : (
          <ul class="rows">
            {data.files.map((file) => (
              <li key={file.file}>
                <span class="bar-row">
                  <FileLink path={file.file} />
                  <span class="quiet nowrap">{many(file.commits, "commit")} · {many(file.used_by_files, "user")}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  );
}

function Known({ after }: { after: boolean }) {
  const health = useAsk<Health>(after ? "health" : null);
  return (
    <Shown asked={health}>
      {(data) => (
        <>
          <ul class="known">
            {data.languages.filter((one) => one.references > 0).map((one) => (
              <li key={one.language}>
                <span class="what">{one.language}<span class="quiet"> {compact(one.references)} references</span></span>
                <Parts
                  label={`${one.language}: ${share(one.inside, one.references)} in the project, ${share(one.outside, one.references)} outside, ${share(one.unproven, one.references)} unproven`}
                  parts={[
                    { size: one.inside, color: "good", words: `${share(one.inside, one.references)} mean something of the project` },
                    { size: one.outside, color: "far", words: `${share(one.outside, one.references)} mean something outside` },
                    { size: one.other, color: "local", words: `${share(one.other, one.references)} are local names or words of the language` },
                    { size: one.unproven, color: "open", words: `${share(one.unproven, one.references)} are not proven` },
                  ]}
                />
              </li>
            ))}
          </ul>
          <ul class="legend">
            <li><span class="dot good" />in the project</li>
            <li><span class="dot far" />outside</li>
            <li><span class="dot local" />local</li>
            <li><span class="dot open" />unproven</li>
          </ul>
        </>
      )}
    </Shown>
  );
}

function Index({ status }: { status: Status }) {
  const stale = status.stale_files ?? [];
  const problems = status.statistics.files_with_problems;
  return (
    <Card title="The index" aside={stale.length ? "stale" : "fresh"}>
      <p>
        Read {ago(status.last_update)}; {bytes(status.database_size_bytes)} for {bytes(status.source_bytes)} of source.
        {stale.length > 0 && ` ${many(stale.length, "file has", "files have")} changed and could not be read again.`}
      </p>
      {problems > 0 && (
        <details>
          <summary>{many(problems, "file")} with text that was not understood completely</summary>
          <ul class="rows">{status.problems.map((one) => <li key={one.file}><FileLink path={one.file} /><span class="quiet"> {one.note}</span></li>)}</ul>
        </details>
      )}
      {status.files_skipped > 0 && (
        <details>
          <summary>{many(status.files_skipped, "file")} left out</summary>
          <ul class="rows">{status.skipped.map((one) => <li key={one.file}><span class="mono">{one.file}</span><span class="quiet"> {one.note}</span></li>)}</ul>
        </details>
      )}
      {!!status.unread?.length && (
        <p class="quiet">Of no known language: {status.unread.slice(0, 8).map((one) => `${one.files} ${one.extension}`).join(", ")}.</p>
      )}
    </Card>
  );
}
