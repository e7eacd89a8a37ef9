// Who refers to whom: folders that can be opened, files, symbols; or what is around one symbol; or the way between two.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAsk } from "../api";
import type { Scene } from "../graph/draw";
import { dot, mermaid } from "../graph/export";
import { Picker } from "../picker";
import { change, go, href, usePlace } from "../router";
import { isDark } from "../theme";
import type { Network, NetworkNode, Route, Unselected } from "../types";
import { isUnselected } from "../types";
import { Card, Check, Choice, Empty, fileHref, Kind, Notes, save, Sure, symbolHref, SymbolRow, Wrong } from "../ui";
import { count, fileName, many } from "../words";

const KINDS = ["call", "instantiation", "read", "write", "attribute", "type_ref", "import", "inherit", "implements", "decorator", "macro"];
const MODES = [["all", "Project"], ["focus", "Around a symbol"], ["path", "Path"]] as const;
type Mode = (typeof MODES)[number][0];

export function GraphView() {
  const { params } = usePlace();
  const focus = params.get("focus") ?? "";
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const mode: Mode = params.get("as") === "path" || from || to ? "path" : focus || params.get("as") === "focus" ? "focus" : "all";
  const open = params.has("open") ? params.getAll("open").filter(Boolean) : undefined;
  const depth = params.get("depth") ?? "1";
  const kinds = params.getAll("kind");
  const exact = params.get("exact") === "yes";
  const options = { kinds, exact_only: exact, no_tests: params.get("tests") === "no", limit: 2500 };
  const network = useAsk<Network>(mode === "all" ? "network" : mode === "focus" && focus ? "network" : null, mode === "all" ? { ...options, open: open?.length ? open : params.has("open") ? [""] : undefined } : { ...options, focus, depth });
  const path = useAsk<Route | Unselected>(mode === "path" && from && to ? "path" : null, { from, to });
  const route = path.data && !isUnselected(path.data) ? path.data : undefined;
  const shown = useMemo(() => (mode === "path" ? (route ? ofRoute(route) : undefined) : network.data), [mode, route, network.data]);
  const [picked, pick] = useState<string | null>(null);
  const [cycles, setCycles] = useState(false);
  const [text, setText] = useState("");
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    if (!wanted || !shown) return null;
    return new Set(shown.nodes.filter((node) => (node.fqn ?? node.id).toLowerCase().includes(wanted)).map((node) => node.id));
  }, [text, shown]);
  const opened = network.data?.open ?? open ?? [];
  const toggle = (node: NetworkNode) => {
    if (node.type === "symbol") go(href("/graph", { focus: node.id }));
    else change({ open: [...opened, node.id], as: "" }, false);
  };
  const close = (folder: string) => {
    const rest = opened.filter((one) => one !== folder && !one.startsWith(`${folder}/`));
    change({ open: rest.length ? rest : [""] }, false);
  };
  const scene = useRef<Scene | null>(null);
  const node = shown?.nodes.find((one) => one.id === picked) ?? null;
  const wrong = network.error ?? path.error;
  const circular = shown ? shown.nodes.filter((one) => one.cycle !== undefined).length : 0;
  return (
    <div class="graph-view" aria-busy={network.loading || path.loading}>
      <div class="graph-tools">
        <h1 class="title">Graph</h1>
        <Choice label="What to show" value={mode} options={MODES} onChange={(value) => go(href("/graph", { as: value === "all" ? "" : value }))} />
        {mode === "focus" && <Picker label="Symbol" value={focus} onPick={(id) => change({ focus: id, as: "" }, false)} />}
        {mode === "focus" && focus && <Choice label="How far" value={depth} options={[["1", "1 step"], ["2", "2 steps"], ["3", "3 steps"]]} onChange={(value) => change({ depth: value })} />}
        {mode === "path" && <><Picker label="From" value={from} onPick={(id) => change({ from: id, as: "path" })} /><Picker label="To" value={to} onPick={(id) => change({ to: id, as: "path" })} /></>}
        <label>Find <input type="search" value={text} placeholder="in the graph" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <details class="menu">
          <summary class="button">Filter{kinds.length || exact || options.no_tests ? " •" : ""}</summary>
          <div class="sheet">
            <Check label="without tests" checked={options.no_tests} onChange={(on) => change({ tests: on ? "no" : "" })} />
            <Check label="only exact" title="only what scope, import or declared type prove" checked={exact} onChange={(on) => change({ exact: on ? "yes" : "" })} />
            <fieldset>
              <legend>Kinds of use</legend>
              {KINDS.map((kind) => <Check key={kind} label={kind.replaceAll("_", " ")} checked={!kinds.length || kinds.includes(kind)} onChange={() => change({ kind: turned(kinds, kind) })} />)}
            </fieldset>
          </div>
        </details>
        <Check label={`cycles${circular ? ` (${circular})` : ""}`} title="marks what uses each other in a circle" checked={cycles} onChange={setCycles} />
        <details class="menu">
          <summary class="button">Export</summary>
          <div class="sheet">
            <button type="button" class="link" onClick={() => scene.current && save("graph.svg", "image/svg+xml", scene.current.svg())}>SVG</button>
            <button type="button" class="link" onClick={() => shown && save("graph.dot", "text/vnd.graphviz", dot(shown))}>DOT</button>
            <button type="button" class="link" onClick={() => shown && save("graph.mmd", "text/plain", mermaid(shown))}>Mermaid</button>
          </div>
        </details>
      </div>
      {mode === "all" && opened.length > 0 && (
        <ul class="chips" aria-label="opened">
          {opened.map((one) => <li key={one}><button type="button" onClick={() => close(one)} title={`close ${one}`} aria-label={`close ${one}`}><span class="mono">{one}</span> ×</button></li>)}
        </ul>
      )}
      <div class="graph-body">
        <div class="stage">
          {wrong && <Wrong error={wrong} />}
          {!wrong && mode === "focus" && !focus && <Empty>Pick a symbol.</Empty>}
          {!wrong && mode === "path" && !(from && to) && <Empty>Pick where the way begins and where it ends.</Empty>}
          {route && !route.connected && <Empty>No chain of uses leads from one to the other.</Empty>}
          {shown && <Stage network={shown} scene={scene} picked={picked} found={found} cycles={cycles} onPick={pick} onOpen={(id) => { const one = shown.nodes.find((other) => other.id === id); if (one) toggle(one); }} />}
          {shown && shown.left_out > 0 && <p class="left-out">{many(shown.left_out, "node")} with few references left out</p>}
          {shown && shown.nodes.length > 0 && !node && <p class="left-out hint">{many(shown.nodes.length, "node")}, {many(shown.edges.length, "edge")} · double-click opens</p>}
        </div>
        <aside class="graph-side" aria-label="details">
          {node && shown ? <Details node={node} network={shown} toggle={toggle} pick={pick} /> : route ? <Steps route={route} /> : shown && <Busiest network={shown} pick={pick} found={found} />}
          {shown && <Notes of={shown} />}
        </aside>
      </div>
    </div>
  );
}

/** All kinds, or those that are chosen. */
function turned(kinds: string[], kind: string): string[] {
  const on = kinds.length ? kinds : KINDS;
  const next = on.includes(kind) ? on.filter((one) => one !== kind) : [...on, kind];
  return next.length === KINDS.length ? [] : next;
}

interface StageProps {
  network: Network;
  scene: { current: Scene | null };
  picked: string | null;
  found: Set<string> | null;
  cycles: boolean;
  onPick: (id: string | null) => void;
  onOpen: (id: string) => void;
}

function Stage({ network, scene, picked, found, cycles, onPick, onOpen }: StageProps) {
  const box = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onPick, onOpen });
  handlers.current = { onPick, onOpen };
  const [ready, setReady] = useState(false);
  const [blind, setBlind] = useState(false);
  useEffect(() => {
    let gone = false;
    const load = () => import("/graph.js" as string) as Promise<typeof import("../graph/draw")>;
    const recolour = () => scene.current?.recolour(isDark());
    void load().then(({ draw }) => {
      if (gone || !box.current) return;
      scene.current = draw(box.current, isDark(), { onPick: (id) => handlers.current.onPick(id), onOpen: (id) => handlers.current.onOpen(id) });
      Object.assign(box.current, { scene: scene.current });
      setReady(true);
    }).catch(() => setBlind(true));
    addEventListener("themechange", recolour);
    return () => {
      gone = true;
      removeEventListener("themechange", recolour);
      scene.current?.close();
      scene.current = null;
    };
  }, []);
  useEffect(() => scene.current?.show(network), [ready, network]);
  useEffect(() => scene.current?.mark({ picked, found, cycles }), [ready, network, picked, found, cycles]);
  const press = (event: KeyboardEvent) => {
    const step = 0.08;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => scene.current?.pan(-step, 0), ArrowRight: () => scene.current?.pan(step, 0), ArrowUp: () => scene.current?.pan(0, step),
      ArrowDown: () => scene.current?.pan(0, -step), "+": () => scene.current?.zoom(0.75), "-": () => scene.current?.zoom(1.33), "0": () => scene.current?.fit(),
    };
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]!();
    }
  };
  return (
    <>
      {blind && <Empty>This browser draws no WebGL. The list beside has the same nodes.</Empty>}
      <div ref={box} class="canvas" role="application" tabIndex={0} aria-label="the graph: arrows move, plus and minus zoom; the list beside it has the same nodes" onKeyDown={press} />
      <div class="zoom">
        <button type="button" class="icon" aria-label="Zoom in" onClick={() => scene.current?.zoom(0.7)}>+</button>
        <button type="button" class="icon" aria-label="Zoom out" onClick={() => scene.current?.zoom(1.4)}>−</button>
        <button type="button" class="icon" aria-label="Show all" onClick={() => scene.current?.fit()}>⤢</button>
      </div>
    </>
  );
}

function Name({ node }: { node: NetworkNode }) {
  return node.type === "symbol" ? <><Kind kind={node.kind ?? ""} /><span class="mono">{node.label}</span></> : <span class="mono">{node.label}{node.type === "folder" ? "/" : ""}</span>;
}

function Details({ node, network, toggle, pick }: { node: NetworkNode; network: Network; toggle: (node: NetworkNode) => void; pick: (id: string | null) => void }) {
  const at = network.nodes.indexOf(node);
  const out = network.edges.filter((edge) => edge.from === at).sort((a, b) => b.references - a.references);
  const into = network.edges.filter((edge) => edge.to === at).sort((a, b) => b.references - a.references);
  const facts = node.type === "symbol" ? `${node.path}:${node.line_number}` : `${node.type === "folder" ? `${many(node.files, "file")}, ` : ""}${many(node.lines, "line")}, ${node.language}`;
  return (
    <Card title={<Name node={node} />} aside={<button type="button" class="icon" aria-label="Close" onClick={() => pick(null)}>×</button>}>
      <p class="quiet mono wrap">{node.fqn ?? node.path}</p>
      <p class="quiet">{facts}{node.cycle !== undefined && " · part of a cycle"}</p>
      <div class="actions">
        {node.type !== "symbol" && <button type="button" class="button first" onClick={() => toggle(node)}>{node.type === "folder" ? "Open" : "Show symbols"}</button>}
        {node.type === "symbol" && <button type="button" class="button first" onClick={() => toggle(node)}>Focus</button>}
        <a class="button" href={node.type === "symbol" ? symbolHref(node.id) : node.type === "file" ? fileHref(node.path) : href("/tree", { path: node.path })}>Go to {node.type}</a>
      </div>
      <Ends title="Uses" edges={out.map((edge) => ({ edge, other: network.nodes[edge.to]! }))} pick={pick} />
      <Ends title="Used by" edges={into.map((edge) => ({ edge, other: network.nodes[edge.from]! }))} pick={pick} />
    </Card>
  );
}

function Ends({ title, edges, pick }: { title: string; edges: { edge: Network["edges"][number]; other: NetworkNode }[]; pick: (id: string) => void }) {
  return (
    <section>
      <h3><span class={`dot ${title === "Uses" ? "out" : "in"}`} />{title} <span class="quiet">{count(edges.length)}</span></h3>
      <ul class="rows">
        {edges.slice(0, 40).map(({ edge, other }) => (
          <li key={other.id}>
            <button type="button" class="link end" onClick={() => pick(other.id)} title={Object.entries(edge.kinds).map(([kind, n]) => `${n} ${kind.replaceAll("_", " ")}`).join(", ")}>
              <Name node={other} /><span class="number">{count(edge.references)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The nodes with the most references: the way into the graph without a mouse. */
function Busiest({ network, pick, found }: { network: Network; pick: (id: string) => void; found: Set<string> | null }) {
  const weights = new Map<number, number>();
  for (const edge of network.edges) {
    weights.set(edge.from, (weights.get(edge.from) ?? 0) + edge.references);
    weights.set(edge.to, (weights.get(edge.to) ?? 0) + edge.references);
  }
  const rows = network.nodes.map((node, i) => ({ node, weight: weights.get(i) ?? 0 })).filter(({ node }) => !found || found.has(node.id)).sort((a, b) => b.weight - a.weight);
  return (
    <Card title={found ? "Found" : "Nodes"} aside={found ? count(rows.length) : "by references"}>
      {rows.length === 0 && <Empty>Nothing.</Empty>}
      <ul class="rows">
        {rows.slice(0, 80).map(({ node, weight }) => (
          <li key={node.id}><button type="button" class="link end" onClick={() => pick(node.id)} title={node.fqn ?? node.id}><Name node={node} /><span class="number">{count(weight)}</span></button></li>
        ))}
      </ul>
    </Card>
  );
}

function Steps({ route }: { route: Route }) {
  return (
    <Card title="The way" aside={many(route.steps.length, "step")}>
      <ol class="rows steps">
        <li><SymbolRow symbol={route.from} place={false} /></li>
        {route.steps.map((step, i) => (
          <li key={i}>
            <span class="quiet">{step.site.kind.replaceAll("_", " ")} at <a class="mono" href={fileHref(step.site.file, step.site.line_number)}>{fileName(step.site.file)}:{step.site.line_number}</a> <Sure certainty={step.site.certainty} /></span>
            <SymbolRow symbol={step.symbol} place={false} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function ofRoute(route: Route): Network {
  const symbols = [route.from, ...route.steps.map((step) => step.symbol)];
  const nodes = symbols.map((one) => ({
    id: one.symbol_id, label: one.name, type: "symbol" as const, kind: one.kind, fqn: one.fqn, path: one.file, line_number: one.line_number,
    language: "", files: 0, lines: one.end_line - one.line_number + 1, test: false,
  }));
  const edges = route.steps.map((step, i) => ({ from: i, to: i + 1, references: 1, exact: step.site.certainty === "exact" ? 1 : 0, kinds: { [step.site.kind]: 1 } }));
  return { nodes: route.connected ? nodes : [], edges, open: [], left_out: 0 };
}
