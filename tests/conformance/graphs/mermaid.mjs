// Reads flowcharts as a JSON list on stdin, parses each with Mermaid, and writes what it found as a JSON list:
// the labels of the vertices in order, and each edge with its label. Run beside an installed mermaid and jsdom.
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><html><body></body></html>");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

let input = "";
for await (const part of process.stdin) input += part;
const found = [];
for (const text of JSON.parse(input)) {
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  const vertices = [...db.getVertices().values()].map((vertex) => vertex.text);
  const edges = db.getEdges().map((edge) => [edge.start, edge.end, edge.text]);
  found.push({ vertices, edges });
}
process.stdout.write(JSON.stringify(found));
