// Where nodes are put: by forces, from a start that depends on their names alone. The same graph gets the same picture on
// every visit, and what was there before stays where it was when something is opened.
import type Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import noverlap from "graphology-layout-noverlap";

export interface Point {
  x: number;
  y: number;
}

/** Puts nodes on a spiral in the order of their names, so that what lies in one folder starts side by side. */
export function start(graph: Graph, known: Map<string, Point>, parentOf: (id: string) => string[]): void {
  const ids = graph.nodes().sort();
  ids.forEach((id, i) => {
    const angle = i * 2.399963;
    const far = 10 * Math.sqrt(i + 1);
    const parent = parentOf(id).map((one) => known.get(one)).find(Boolean);
    const at = known.get(id) ?? (parent ? { x: parent.x + Math.cos(angle) * 3, y: parent.y + Math.sin(angle) * 3 } : { x: Math.cos(angle) * far, y: Math.sin(angle) * far });
    graph.mergeNodeAttributes(id, at);
  });
}

/** How many steps give a picture that holds still. */
function steps(order: number): number {
  if (order < 150) return 500;
  if (order < 600) return 250;
  return 120;
}

/** Lays out in slices, so that the page stays alive; `shown` is told after each. */
export async function layOut(graph: Graph, shown: () => void, stop: AbortSignal): Promise<void> {
  if (graph.order < 2) return;
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    linLogMode: true,
    outboundAttractionDistribution: true,
    adjustSizes: false,
    barnesHutOptimize: graph.order > 300,
    edgeWeightInfluence: 0.4,
    gravity: 1.2,
    scalingRatio: 8,
    slowDown: 4 + Math.log(graph.order),
  };
  const all = steps(graph.order);
  const slice = graph.order > 600 ? 6 : graph.order > 150 ? 25 : all;
  for (let done = 0; done < all && !stop.aborted; done += slice) {
    forceAtlas2.assign(graph, { iterations: slice, settings, getEdgeWeight: "weight" });
    shown();
    await new Promise((next) => requestAnimationFrame(next));
  }
  if (!stop.aborted && graph.order <= 400) {
    spread(graph);
    shown();
  }
}

/** Takes nodes apart that lie on each other: sizes are of the screen, places of the layout. */
function spread(graph: Graph): void {
  const xs = graph.mapNodes((_, node) => node.x as number);
  const ys = graph.mapNodes((_, node) => node.y as number);
  const width = Math.max(...xs) - Math.min(...xs) || 1;
  const height = Math.max(...ys) - Math.min(...ys) || 1;
  const unit = Math.max(width / 900, height / 560);
  noverlap.assign(graph, {
    maxIterations: 120,
    inputReducer: (_, node) => ({ x: node.x, y: node.y, size: (node.size as number) * unit }),
    settings: { margin: 7 * unit, ratio: 1.05, expansion: 1.02, gridSize: 12 },
  });
}
