// A graph in the languages of other programs.
import type { Network } from "../types";

const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(/[\r\n]+/g, " ")}"`;

export function dot(network: Network): string {
  const nodes = network.nodes.map((node, i) => `  n${i} [label=${quoted(node.label)}, tooltip=${quoted(node.fqn ?? node.id)}, shape=${node.type === "folder" ? "folder" : node.type === "file" ? "note" : "box"}];`);
  const edges = network.edges.map((edge) => `  n${edge.from} -> n${edge.to} [label=${edge.references}];`);
  return `digraph codegraph {\n  rankdir=LR;\n${nodes.join("\n")}\n${edges.join("\n")}\n}\n`;
}

export function mermaid(network: Network): string {
  const text = (label: string) => `"${label.replace(/[^\p{L}\p{N} _./:-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;
  const nodes = network.nodes.map((node, i) => `  n${i}${node.type === "folder" ? `[[${text(node.label)}]]` : `[${text(node.label)}]`}`);
  const edges = network.edges.map((edge) => `  n${edge.from} -->|${edge.references}| n${edge.to}`);
  return `flowchart LR\n${nodes.join("\n")}\n${edges.join("\n")}\n`;
}
