// Sends a trace with the SDK and exporters of OpenTelemetry for JavaScript: a JSON line {protocol, url, token, service} in; a JSON
// line {trace} or {fault} out. Batches are small, so that spans of one trace arrive in several requests.
import { createInterface } from "node:readline";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as GRPC } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JSONs } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as Proto } from "@opentelemetry/exporter-trace-otlp-proto";
import { Metadata, credentials } from "@grpc/grpc-js";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const exporterOf = ({ protocol, url, token }) => {
  const headers = { Authorization: `Bearer ${token}` };
  if (protocol === "proto") return new Proto({ url, headers, compression: "gzip" });
  if (protocol === "json") return new JSONs({ url, headers });
  const metadata = new Metadata();
  metadata.set("authorization", headers.Authorization);
  return new GRPC({ url, metadata, credentials: credentials.createInsecure() });
};

const run = async (question) => {
  let fault = "";
  const exporter = exporterOf(question);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": question.service }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxExportBatchSize: 2 })],
  });
  const sent = exporter.export.bind(exporter);
  exporter.export = (spans, done) => sent(spans, (result) => {
    if (result.code !== 0) fault = String(result.error?.message ?? "not sent");
    done(result);
  });
  const tracer = provider.getTracer("interop");
  const root = tracer.startSpan("chat", { attributes: { "input.value": "How much leave is there?" } }, ROOT_CONTEXT);
  const within = trace.setSpan(ROOT_CONTEXT, root);
  const step = (name, attributes) => tracer.startSpan(name, { attributes }, within).end();
  step("retrieve", {
    "openinference.span.kind": "RETRIEVER",
    "retrieval.documents.0.document.id": "policy",
    "retrieval.documents.0.document.content": "Annual leave is 30 days for each employee.",
  });
  step("execute_tool balance", {
    "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "balance", "gen_ai.tool.call.id": "call_1",
    "gen_ai.tool.call.arguments": '{"employee":7}', "gen_ai.tool.call.result": "The balance is 12 days.",
  });
  step("chat m-1", {
    "gen_ai.request.model": "m-1",
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [{ type: "text",
      content: "Annual leave is 30 days for each employee. The balance is 12 days." }] }]),
  });
  root.end();
  await provider.shutdown();
  return fault ? { fault } : { trace: root.spanContext().traceId };
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
