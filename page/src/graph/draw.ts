// Draws a graph with WebGL: a bundle of its own, loaded by who wants to see one.
import { createNodeBorderProgram } from "@sigma/node-border";
import Graph from "graphology";
import Sigma from "sigma";
import { EdgeArrowProgram, EdgeLineProgram } from "sigma/rendering";
import type { Network, NetworkNode } from "../types";
import { layOut, type Point, start } from "./layout";
import { palette, type Palette } from "./palette";

export interface Handlers {
  onPick: (id: string | null) => void;
  onOpen: (id: string) => void;
}

export interface Scene {
  show(network: Network): void;
  mark(marks: { picked: string | null; found: Set<string> | null; cycles: boolean }): void;
  recolour(dark: boolean): void;
  fit(): void;
  zoom(by: number): void;
  pan(x: number, y: number): void;
  svg(): string;
  /** Frames per second while the camera goes round, and how long our own part of a frame takes. */
  measure(milliseconds: number): Promise<{ frames: number; script: number }>;
  settled(): boolean;
  close(): void;
}

/** More edges than these are drawn without heads: nobody sees them, and they cost frames. */
const MOST_ARROWS = 4000;

export function draw(container: HTMLElement, dark: boolean, handlers: Handlers): Scene {
  let colours = palette(dark);
  const graph = new Graph({ type: "directed", multi: false });
  const known = new Map<string, Point>();
  let network: Network = { nodes: [], edges: [], open: [], left_out: 0 };
  let marks = { picked: null as string | null, found: null as Set<string> | null, cycles: false };
  let hovered: string | null = null;
  let near = new Set<string>();
  let working = new AbortController();
  let busy = false;

  const sigma = new Sigma(graph, container, {
    allowInvalidContainer: true,
    defaultNodeType: "bordered",
    nodeProgramClasses: {
      bordered: createNodeBorderProgram({
        borders: [
          { size: { attribute: "border", defaultValue: 0.12 }, color: { attribute: "ring" } },
          { size: { fill: true }, color: { attribute: "color" } },
        ],
      }),
    },
    edgeProgramClasses: { arrow: EdgeArrowProgram, line: EdgeLineProgram },
    labelFont: "system-ui, sans-serif",
    labelSize: 12,
    labelDensity: 0.9,
    labelGridCellSize: 80,
    labelRenderedSizeThreshold: 5,
    labelColor: { color: colours.text },
    zIndex: true,
    hideEdgesOnMove: false,
    minCameraRatio: 0.02,
    maxCameraRatio: 6,
    defaultDrawNodeHover: (context, data, settings) => hover(context, data as never, settings.labelSize, settings.labelFont, colours),
    nodeReducer: (id, data) => {
      const lit = focus();
      const dim = (lit && id !== lit && !near.has(id)) || (marks.found && !marks.found.has(id));
      const circled = marks.cycles && data.cycle !== undefined;
      return {
        ...data,
        color: dim ? colours.faint : data.color,
        ring: id === marks.picked ? colours.text : circled ? colours.warn : dim ? colours.faint : colours.ring,
        border: id === marks.picked || circled ? 0.28 : 0.12,
        label: dim ? null : data.label,
        zIndex: dim ? 0 : id === lit ? 2 : 1,
        highlighted: false,
        forceLabel: id === marks.picked || id === hovered,
      };
    },
    edgeReducer: (_, data) => {
      const lit = focus();
      const touches = !lit || data.source === lit || data.target === lit;
      const inCycle = marks.cycles && data.circular;
      if (marks.found && !(marks.found.has(data.source) && marks.found.has(data.target))) return { ...data, color: colours.faintEdge, zIndex: 0 };
      if (!touches) return { ...data, color: colours.faintEdge, zIndex: 0 };
      const color = inCycle ? colours.warn : lit ? (data.source === lit ? colours.out : colours.in) : colours.edge;
      return { ...data, color, zIndex: lit || inCycle ? 1 : 0, size: lit ? (data.size as number) + 0.6 : data.size };
    },
  });

  const focus = () => hovered ?? marks.picked;
  const relight = () => {
    const lit = focus();
    near = new Set(lit && graph.hasNode(lit) ? graph.neighbors(lit) : []);
    sigma.refresh({ skipIndexation: true });
  };
  sigma.on("enterNode", ({ node }) => { hovered = node; container.style.cursor = "pointer"; relight(); });
  sigma.on("leaveNode", () => { hovered = null; container.style.cursor = ""; relight(); });
  sigma.on("clickNode", ({ node }) => handlers.onPick(node));
  sigma.on("clickStage", () => handlers.onPick(null));
  sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => { preventSigmaDefault(); handlers.onOpen(node); });

  const paint = (node: NetworkNode) => colours.of(node);
  const parents = new Map<string, string[]>();

  const fill = () => {
    graph.clear();
    parents.clear();
    for (const node of network.nodes) {
      const path = node.type === "symbol" ? node.path : node.id;
      const parts = path.split("/");
      parents.set(node.id, parts.map((_, i) => parts.slice(0, parts.length - i).join("/")));
      graph.addNode(node.id, { label: node.label, size: sizeOf(node), color: paint(node), cycle: node.cycle, type: "bordered", x: 0, y: 0 });
    }
    const kind = network.edges.length > MOST_ARROWS ? "line" : "arrow";
    const most = Math.max(1, ...network.edges.map((edge) => edge.references));
    for (const edge of network.edges) {
      const [from, to] = [network.nodes[edge.from]!, network.nodes[edge.to]!];
      const weight = 1 + Math.log2(edge.references);
      graph.addEdge(from.id, to.id, {
        source: from.id, target: to.id, weight, type: kind,
        size: 0.6 + 2.6 * (Math.log1p(edge.references) / Math.log1p(most)),
        circular: from.cycle !== undefined && from.cycle === to.cycle,
      });
    }
  };

  const remember = () => graph.forEachNode((id, node) => known.set(id, { x: node.x as number, y: node.y as number }));

  return {
    show(next) {
      working.abort();
      working = new AbortController();
      const { signal } = working;
      network = next;
      hovered = null;
      fill();
      start(graph, known, (id) => parents.get(id) ?? []);
      busy = true;
      void layOut(graph, () => sigma.refresh(), signal).then(() => {
        if (signal.aborted) return;
        remember();
        busy = false;
        sigma.refresh();
      });
      relight();
    },
    mark(next) {
      marks = next;
      relight();
    },
    recolour(isDark) {
      colours = palette(isDark);
      sigma.setSetting("labelColor", { color: colours.text });
      for (const node of network.nodes) if (graph.hasNode(node.id)) graph.setNodeAttribute(node.id, "color", paint(node));
      relight();
    },
    fit: () => void sigma.getCamera().animatedReset({ duration: 200 }),
    zoom: (by) => void sigma.getCamera().animate({ ratio: sigma.getCamera().ratio * by }, { duration: 120 }),
    pan: (x, y) => {
      const camera = sigma.getCamera();
      void camera.animate({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, { duration: 120 });
    },
    svg: () => picture(sigma, graph, colours),
    settled: () => !busy,
    async measure(milliseconds) {
      const camera = sigma.getCamera();
      const home = camera.getState();
      const begin = performance.now();
      let frames = 0;
      let drawing = 0;
      let started = 0;
      const before = () => { started = performance.now(); };
      const after = () => { drawing += performance.now() - started; };
      sigma.on("beforeRender", before);
      sigma.on("afterRender", after);
      while (performance.now() - begin < milliseconds) {
        await new Promise((next) => requestAnimationFrame(next));
        const angle = (performance.now() - begin) / 200;
        camera.setState({ ...home, x: home.x + Math.cos(angle) * 0.1, y: home.y + Math.sin(angle) * 0.1 });
        frames++;
      }
      camera.setState(home);
      sigma.off("beforeRender", before);
      sigma.off("afterRender", after);
      return { frames: (1000 * frames) / (performance.now() - begin), script: drawing / Math.max(1, frames) };
    },
    close() {
      working.abort();
      sigma.kill();
    },
  };
}

function sizeOf(node: NetworkNode): number {
  if (node.type === "folder") return 5 + 1.8 * Math.log2(node.files + 1);
  if (node.type === "file") return 4 + Math.min(9, Math.sqrt(node.lines) / 5);
  return 4 + Math.min(7, Math.sqrt(node.lines));
}

/** The name of a node under the mouse, on a ground of its own. */
function hover(context: CanvasRenderingContext2D, data: { x: number; y: number; size: number; label: string | null }, size: number, font: string, colours: Palette): void {
  if (!data.label) return;
  context.font = `600 ${size}px ${font}`;
  const width = context.measureText(data.label).width;
  context.fillStyle = colours.ground;
  context.shadowColor = "rgba(0,0,0,.25)";
  context.shadowBlur = 6;
  context.beginPath();
  context.roundRect(data.x + data.size + 1, data.y - size / 2 - 5, width + 12, size + 10, 5);
  context.fill();
  context.shadowBlur = 0;
  context.fillStyle = colours.text;
  context.fillText(data.label, data.x + data.size + 7, data.y + size / 3);
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The picture as it is on the screen, as SVG. */
function picture(sigma: Sigma, graph: Graph, colours: Palette): string {
  const { width, height } = sigma.getDimensions();
  const at = (id: string) => sigma.graphToViewport({ x: graph.getNodeAttribute(id, "x"), y: graph.getNodeAttribute(id, "y") });
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="${colours.ground}"/>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="${colours.edge}"/></marker></defs>`,
  ];
  graph.forEachEdge((_, edge, source, target) => {
    const [a, b] = [at(source), at(target)];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const stop = (graph.getNodeAttribute(target, "size") as number) + 2;
    const [x, y] = [b.x - ((b.x - a.x) / length) * stop, b.y - ((b.y - a.y) / length) * stop];
    out.push(`<line x1="${a.x.toFixed(1)}" y1="${a.y.toFixed(1)}" x2="${x.toFixed(1)}" y2="${y.toFixed(1)}" stroke="${colours.edge}" stroke-width="${(edge.size as number).toFixed(1)}" marker-end="url(#head)"/>`);
  });
  graph.forEachNode((id, node) => {
    const point = at(id);
    out.push(`<circle cx="${point.x.toFixed(1)}" cy="${point.y.toFixed(1)}" r="${(node.size as number).toFixed(1)}" fill="${node.color as string}"/>`);
    out.push(`<text x="${(point.x + (node.size as number) + 3).toFixed(1)}" y="${(point.y + 4).toFixed(1)}" fill="${colours.text}">${escaped(String(node.label))}</text>`);
  });
  return `${out.join("\n")}\n</svg>\n`;
}

