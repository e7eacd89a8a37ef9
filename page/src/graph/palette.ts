// The colours of a graph: a folder of the top and all that is in it share one.
import type { NetworkNode } from "../types";
import { hash } from "../words";

export interface Palette {
  text: string;
  ground: string;
  ring: string;
  edge: string;
  faint: string;
  faintEdge: string;
  in: string;
  out: string;
  warn: string;
  of: (node: NetworkNode) => string;
}

const LIGHT = ["#4f6bed", "#0f8a7e", "#b35309", "#8b46c9", "#b0315f", "#3d7d2c", "#0b77a8", "#7a6a12"];
const DARK = ["#8ea2ff", "#4cc9b8", "#f0a35e", "#c79bf2", "#f08bb0", "#8fce7a", "#6cc3ef", "#d6c35a"];
const KINDS: Record<string, number> = { callable: 0, type: 2, contract: 3, value: 5, module: 6 };

export function palette(dark: boolean): Palette {
  const hues = dark ? DARK : LIGHT;
  const of = (node: NetworkNode) => {
    if (node.type === "symbol") return hues[KINDS[group(node.kind ?? "")] ?? 5]!;
    const parts = node.path.split("/");
    return hues[hash(parts.length > 1 ? parts.slice(0, 2).join("/") : parts[0]!) % hues.length]!;
  };
  const shades = dark
    ? { text: "#e7e9ee", ground: "#1a1d23", ring: "#14161b", edge: "#4a515f", faint: "#2a2e37", faintEdge: "#23272f", in: "#f0a35e", out: "#8ea2ff", warn: "#ff7b72" }
    : { text: "#1c2029", ground: "#ffffff", ring: "#ffffff", edge: "#c3c9d4", faint: "#e4e7ec", faintEdge: "#eef0f3", in: "#b35309", out: "#4f6bed", warn: "#d1332a" };
  return { ...shades, of };
}

function group(kind: string): string {
  if (/^(function|method|constructor|destructor|operator|macro|getter|setter)$/.test(kind)) return "callable";
  if (/^(class|struct|record|object|enum|union|impl|type_alias)$/.test(kind)) return "type";
  if (/^(interface|protocol|trait)$/.test(kind)) return "contract";
  if (/^(module|namespace|package)$/.test(kind)) return "module";
  return "value";
}
