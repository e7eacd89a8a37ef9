// The folders of the project: as a list with numbers, as a map of areas, or as the words that the code is made of.
import { useState } from "preact/hooks";
import { useAsk } from "../api";
import { change, href, usePlace } from "../router";
import { squarified } from "../treemap";
import type { Census, CensusEntry, Cloud } from "../types";
import { Card, Check, Choice, Crumbs, Empty, fileHref, Shown } from "../ui";
import { bytes, compact, count, fileName, hash, many } from "../words";

const MODES = [["list", "List"], ["areas", "Treemap"], ["cloud", "Terms"]] as const;
type Mode = (typeof MODES)[number][0];

export function TreeView() {
  const { params } = usePlace();
  const path = params.get("path") ?? "";
  const mode = (params.get("as") ?? "list") as Mode;
  return (
    <>
      <Crumbs path={path} folder />
      <div class="heading">
        <h1 class="title">{path ? <span class="mono">{fileName(path)}/</span> : "Tree"}</h1>
        <Choice label="Show as" value={mode} options={MODES} onChange={(value) => change({ as: value === "list" ? "" : value }, false)} />
      </div>
      {mode === "list" && <List path={path} />}
      {mode === "areas" && <Areas path={path} />}
      {mode === "cloud" && <Terms path={path} />}
    </>
  );
}

const to = (entry: CensusEntry, as = "") => (entry.type === "file" ? fileHref(entry.path) : href("/tree", { path: entry.path, as }));

const COLUMNS = [
  ["files", "Files", (e: CensusEntry) => e.files],
  ["lines", "Lines", (e: CensusEntry) => e.lines],
  ["bytes", "Size", (e: CensusEntry) => e.bytes],
  ["symbols", "Symbols", (e: CensusEntry) => e.symbols],
  ["uses", "Uses", (e: CensusEntry) => e.uses],
  ["used", "Used", (e: CensusEntry) => e.used],
] as const;

function List({ path }: { path: string }) {
  const { params } = usePlace();
  const sort = params.get("by") ?? "path";
  const census = useAsk<Census>("census", { path });
  return (
    <Shown asked={census} lines={12}>
      {({ folder, entries }) => {
        const column = COLUMNS.find(([name]) => name === sort);
        const folders = (entry: CensusEntry) => (entry.type === "directory" ? 0 : 1);
        const sorted = [...entries].sort((a, b) => (column ? column[2](b) - column[2](a) : folders(a) - folders(b)));
        const most = Math.max(1, ...entries.map((entry) => entry.lines));
        return (
          <section class="card scroll">
            <table class="grid">
              <caption class="hidden">what is in {path || "the project"}</caption>
              <thead>
                <tr>
                  <th scope="col" aria-sort={sort === "path" ? "ascending" : undefined}><button type="button" onClick={() => change({ by: "" })}>Name</button></th>
                  {COLUMNS.map(([name, title]) => (
                    <th key={name} scope="col" class="number" aria-sort={sort === name ? "descending" : undefined}>
                      <button type="button" onClick={() => change({ by: name })} title={HINTS[name]}>{title}</button>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {sorted.map((entry) => (
                  <tr key={entry.path}>
                    <th scope="row">
                      <a class={`mono ${entry.type}`} href={to(entry)} title={entry.path}>{fileName(entry.path)}{entry.type === "directory" ? "/" : ""}</a>
                      <span class="quiet"> {entry.language}</span>
                    </th>
                    <td class="number">{entry.type === "file" ? "" : count(entry.files)}</td>
                    <td class="number"><span class="area" style={{ width: `${(60 * entry.lines) / most}px` }} />{count(entry.lines)}</td>
                    <td class="number">{bytes(entry.bytes)}</td>
                    <td class="number">{count(entry.symbols)}</td>
                    <td class="number">{count(entry.uses)}</td>
                    <td class="number">{count(entry.used)}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">all</th>
                  {COLUMNS.map(([name, , value]) => <td key={name} class="number">{name === "bytes" ? bytes(folder.bytes) : count(value(folder))}</td>)}
                </tr>
              </tfoot>
            </table>
          </section>
        );
      }}
    </Shown>
  );
}

const HINTS: Record<string, string> = {
  uses: "references to what lies outside of it, in the project",
  used: "references from what lies outside of it",
};

const SIZES = [["lines", "lines"], ["symbols", "symbols"], ["used", "uses by others"]] as const;
type Size = (typeof SIZES)[number][0];

function Areas({ path }: { path: string }) {
  const [size, setSize] = useState<Size>("lines");
  const census = useAsk<Census>("census", { path, depth: 2 });
  return (
    <>
      <div class="filters"><Choice label="Area" value={size} options={SIZES} onChange={setSize} /></div>
      <Shown asked={census} lines={12}>
        {({ entries }) => {
          const depth = path ? path.split("/").length : 0;
          const level = (entry: CensusEntry) => entry.path.split("/").length - depth;
          const weight = (entry: CensusEntry) => Math.max(entry[size], 0);
          const outer = entries.filter((entry) => level(entry) === 1 && weight(entry) > 0);
          if (!outer.length) return <Empty>Nothing to show.</Empty>;
          const [width, height] = innerWidth < 640 ? [400, 560] : [1000, 520];
          const boxes = squarified(outer, weight, { x: 0, y: 0, w: width, h: height });
          return (
            <svg class="areas card" viewBox={`0 0 ${width} ${height}`} role="list" aria-label={`${size} in ${path || "the project"}`}>
              {boxes.map(({ item, box }) => {
                const inner = entries.filter((entry) => level(entry) === 2 && weight(entry) > 0 && entry.path.startsWith(`${item.path}/`));
                const head = box.h > 30 && box.w > 44 ? 17 : 0;
                const room = { x: box.x + 2, y: box.y + 2 + head, w: box.w - 4, h: box.h - 4 - head };
                return (
                  <g key={item.path} role="listitem">
                    <Area entry={item} box={box} size={size} head={head > 0} deep={depth + 1} />
                    {room.w > 8 && room.h > 8 && squarified(inner, weight, room).map((one) => (
                      <Area key={one.item.path} entry={one.item} box={one.box} size={size} deep={depth + 1} inner head={one.box.h > 15 && one.box.w > 40} />
                    ))}
                  </g>
                );
              })}
            </svg>
          );
        }}
      </Shown>
    </>
  );
}

function Area({ entry, box, size, head, deep, inner = false }: { entry: CensusEntry; deep: number; box: { x: number; y: number; w: number; h: number }; size: Size; head: boolean; inner?: boolean }) {
  const name = `${fileName(entry.path)}${entry.type === "directory" ? "/" : ""}`;
  const letters = Math.floor((box.w - 10) / 7.2);
  const words = `${entry.path}: ${compact(entry[size])} ${size}, ${many(entry.files, "file")}`;
  return (
    <a href={to(entry, "areas")}>
      <title>{words}</title>
      <rect x={box.x + 0.5} y={box.y + 0.5} width={Math.max(0, box.w - 1)} height={Math.max(0, box.h - 1)} rx="3" class={`${inner ? "inner" : "outer"} hue${hash(entry.path.split("/").slice(0, deep).join("/")) % 8}`} />
      {head && letters > 2 && <text aria-hidden="true" x={box.x + 6} y={box.y + 13}>{name.length > letters ? `${name.slice(0, letters - 1)}…` : name}</text>}
    </a>
  );
}

function Terms({ path }: { path: string }) {
  const [comments, setComments] = useState(false);
  const [own, setOwn] = useState(true);
  const cloud = useAsk<Cloud>("cloud", { file_filter: path, comments, defined: own && !comments, limit: 150 });
  return (
    <>
      <div class="filters">
        <Check label="only names that are defined here" checked={own && !comments} onChange={setOwn} />
        <Check label="words of comments instead of names" checked={comments} onChange={setComments} />
      </div>
      <Shown asked={cloud} lines={8}>
        {({ terms, total }) => {
          if (!terms.length) return <Empty>There are no terms here.</Empty>;
          const [high, low] = [Math.log(terms[0]!.lines), Math.log(terms[terms.length - 1]!.lines)];
          const step = (lines: number) => Math.round(((Math.log(lines) - low) / (high - low || 1)) * 9);
          const sorted = [...terms].sort((a, b) => a.term.localeCompare(b.term));
          return (
            <Card title="Terms by use" aside={`${count(terms.length)} of ${count(total)}`}>
              <ul class="cloud">
                {sorted.map((one) => (
                  <li key={one.term}>
                    <a class={`mono size${step(one.lines)}${one.defined ? " own" : ""}`} href={href("/search", { q: one.term, folder: path })} title={`${many(one.lines, "line")} in ${many(one.files, "file")}`}>{one.term}</a>
                  </li>
                ))}
              </ul>
            </Card>
          );
        }}
      </Shown>
    </>
  );
}
