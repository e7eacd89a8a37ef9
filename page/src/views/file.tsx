// A file: its outline beside its text.
import { useAsk } from "../api";
import { Code } from "../code";
import { href, usePlace } from "../router";
import type { CensusEntry, Listing } from "../types";
import { Card, Crumbs, Empty, Kind, Shown } from "../ui";
import { bytes, count, many } from "../words";

interface OutlineEntry {
  name: string;
  kind: string;
  line_number: number;
  depth: number;
}

interface Outline {
  types: OutlineEntry[];
  methods: OutlineEntry[];
  members: OutlineEntry[];
}

/** Lines that are shown at once. */
const AT_ONCE = 1500;

export function FileView() {
  const { params, hash } = usePlace();
  const path = params.get("path") ?? "";
  const line = Number(/^L(\d+)/.exec(hash)?.[1] ?? 1);
  const from = Number(params.get("from") ?? (line > AT_ONCE - 100 ? line - AT_ONCE / 2 : 1));
  const listing = useAsk<Listing>("listing", { file: path, from, to: from + AT_ONCE - 1 });
  const census = useAsk<{ folder: CensusEntry }>("census", { path });
  const outline = useAsk<Outline>("signature", { file: path });
  const folder = census.data?.folder;
  return (
    <>
      <Crumbs path={path} />
      <h1 class="title mono">{path.slice(path.lastIndexOf("/") + 1)}</h1>
      {folder && (
        <p class="facts">
          {folder.language} · {many(folder.lines, "line")} · {bytes(folder.bytes)} · {many(folder.symbols, "symbol")} · uses other files {count(folder.uses)}× ·
          used by them {count(folder.used)}× · <a href={href("/graph", { open: around(path), filter: "" })}>in the graph</a>
        </p>
      )}
      <div class="columns source-columns">
        <div><Card title="Source">
          <Shown asked={listing} lines={16}>
            {(data) => (
              <>
                {data.from > 1 && <a class="more" href={href("/file", { path, from: Math.max(1, data.from - AT_ONCE) })}>Earlier lines</a>}
                <Code listing={data} />
                {data.from + data.lines.length <= data.total && <a class="more" href={href("/file", { path, from: data.from + data.lines.length })}>The next lines of {count(data.total)}</a>}
              </>
            )}
          </Shown>
        </Card></div>
        <div><Card title="Outline" class="outline">
          <Shown asked={outline} lines={8}>
            {(data) => flat(data).length === 0 ? <Empty>Nothing here has a name.</Empty> : (
              <ul class="rows">
                {flat(data).map((one, i) => (
                  <li key={i} class={`deep${Math.min(one.depth, 4)}`}>
                    <a class="symbol-row" href={href("/file", { path }, `L${one.line_number}`)}><Kind kind={one.kind} /><span class="name mono"><span class="own">{one.name}</span></span></a>
                  </li>
                ))}
              </ul>
            )}
          </Shown>
        </Card></div>
      </div>
    </>
  );
}

/** Types and functions in the order of the text; where there are none, what else has a name. */
function flat(outline: Outline): OutlineEntry[] {
  const main = [...outline.types, ...outline.methods];
  return (main.length ? main : outline.members).sort((a, b) => a.line_number - b.line_number);
}

/** The folders around a file, all of which have to be open to see it. */
export function around(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}
