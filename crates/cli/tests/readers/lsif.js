// Checks a dump with the descriptions of vertices and edges that the protocol's own package has: every element is what its
// label says, edges lead from and to what they may, and nothing is used before it is there.
const fs = require('fs');
const path = require('path');
const [dump, modules] = process.argv.slice(2);
const protocol = require(path.join(modules, '@vscode/lsif-protocol'));

const vertices = new Map();
const counts = {};
let failed = 0;
const fail = (line, why) => { if (failed++ < 10) console.error(`line ${line}: ${why}`); };

const lines = fs.readFileSync(dump, 'utf8').trimEnd().split('\n');
lines.forEach((text, at) => {
  const element = JSON.parse(text);
  const label = element.label;
  counts[label] = (counts[label] || 0) + 1;
  if (element.type === 'vertex') {
    if (vertices.has(element.id)) fail(at + 1, 'a number is used twice');
    vertices.set(element.id, element);
    if (!protocol.Vertex.getDescriptor(element).validate(element)) fail(at + 1, `no ${label}: ${text}`);
    return;
  }
  const descriptor = protocol.Edge.getDescriptor(element);
  if (!descriptor.validate(element)) return fail(at + 1, `no ${label}: ${text}`);
  const out = vertices.get(element.outV);
  const ends = (element.inVs || [element.inV]).map(id => vertices.get(id));
  if (!out || ends.some(end => !end)) return fail(at + 1, 'a vertex is not there yet');
  for (const end of ends) {
    const fits = descriptor.edgeDescriptions.some(([from, to]) => from.validate(out) && to.validate(end));
    if (!fits) fail(at + 1, `${label} leads from ${out.label} to ${end.label}`);
  }
});
if (failed) process.exit(1);
console.log(JSON.stringify(counts));
