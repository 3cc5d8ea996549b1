// Opens every file named on stdin in a YAML language server whose workspace is `root`, with `settings` as the
// editor's own; writes what the server says of each file, and the texts that it shows over the places in `hover`.
// The files are opened together: the server waits 0.2 s after each opening before it validates that file.
// Run beside an installed yaml-language-server.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

let input = "";
for await (const part of process.stdin) input += part;
const { root, settings, files, hover } = JSON.parse(input);
const home = pathToFileURL(root).href;
const options = { schemas: settings["yaml.schemas"], hover: true, validate: true, schemaStore: { enable: false } };

const bin = createRequire(import.meta.url).resolve("yaml-language-server/bin/yaml-language-server");
const server = spawn(process.execPath, [bin, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const diagnostics = {};
let number = 0;
let received = Buffer.alloc(0);
let told = () => {};
let hasSettings = () => {};
const configured = new Promise((resolve) => (hasSettings = resolve));

const send = (message) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++number, resolve);
    send({ id: number, method, params });
  });
const answer = (message) => {
  if (message.method === "textDocument/publishDiagnostics") {
    const { uri, diagnostics: found } = message.params;
    diagnostics[decodeURIComponent(uri).slice(home.length + 1)] = found.map((item) => item.message);
    told();
  } else if (message.method && message.id !== undefined) {
    const items = message.params?.items ?? [];
    const result = items.map((item) => (item.section === "yaml" ? options : {}));
    send({ id: message.id, result: message.method === "workspace/configuration" ? result : null });
    if (items.some((item) => item.section === "yaml")) hasSettings();
  } else if (message.id !== undefined) {
    waiting.get(message.id)?.(message.result);
  }
};
server.stdout.on("data", (data) => {
  received = Buffer.concat([received, data]);
  for (;;) {
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, end))[1]);
    if (received.length < end + 4 + length) return;
    const message = JSON.parse(received.subarray(end + 4, end + 4 + length));
    received = received.subarray(end + 4 + length);
    answer(message);
  }
});

const uriOf = (file) => `${home}/${file}`;
await ask("initialize", {
  processId: process.pid,
  rootUri: home,
  workspaceFolders: [{ uri: home, name: "tree" }],
  capabilities: { workspace: { configuration: true }, textDocument: { publishDiagnostics: {} } },
});
send({ method: "initialized", params: {} });
send({ method: "workspace/didChangeConfiguration", params: { settings: { yaml: options } } });
await configured;
const heard = new Promise((resolve) => (told = () => files.every((file) => file in diagnostics) && resolve()));
for (const file of files) {
  const text = readFileSync(`${root}/${file}`, "utf8");
  send({
    method: "textDocument/didOpen",
    params: { textDocument: { uri: uriOf(file), languageId: "yaml", version: 1, text } },
  });
}
await heard;
const shown = [];
for (const { file, line, character } of hover) {
  const found = await ask("textDocument/hover", {
    textDocument: { uri: uriOf(file) },
    position: { line, character },
  });
  shown.push(found?.contents?.value ?? found?.contents ?? "");
}
process.stdout.write(JSON.stringify({ diagnostics, shown }));
server.kill();
