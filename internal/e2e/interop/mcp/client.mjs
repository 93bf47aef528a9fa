// Calls Sanad's tools with the official client of the Model Context Protocol, over HTTP and over standard input and output: a
// JSON line {url, token} or {command, args}, with {calls}, in; a JSON line {tools, templates, answers} or {fault} out.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const reach = ({ url, token, command, args }) =>
  url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } })
    : new StdioClientTransport({ command, args });

const run = async (question) => {
  const client = new Client({ name: "interop", version: "1" });
  await client.connect(reach(question));
  const { tools } = await client.listTools();
  const { resourceTemplates } = await client.listResourceTemplates();
  const answers = [];
  for (const call of question.calls) answers.push(await client.callTool(call));
  // a call that its client gives up
  const ending = new AbortController();
  const given = client.callTool(question.calls[0], undefined, { signal: ending.signal });
  ending.abort();
  const cancelled = await given.then(() => false, () => true);
  await client.close();
  return { tools: tools.map((t) => t.name), templates: resourceTemplates.map((t) => t.uriTemplate), answers, cancelled };
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await run(JSON.parse(line));
  } catch (e) {
    answer = { fault: String(e.message) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
