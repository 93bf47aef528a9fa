package importers

// foreignCases has the expected result of every sample: for each session the numbers of claims, of documents and of
// claims with a citation that leads to a passage, and how citations and labels were placed.
var foreignCases = []struct {
	file, format string
	sessions     []took
	refused      []string // path of the fault of each refused row
	warns        string   // part of a warning: path and message
}{
	{
		file: "anthropic/ar.json", format: "anthropic.messages",
		sessions: []took{{claims: 2, documents: 1, cited: 2, placed: placedAs(1, 1, 0, 0)}},
	},
	{
		file: "anthropic/damaged.json", format: "anthropic.messages",
		sessions: []took{{claims: 1, documents: 1, cited: 1, placed: placedAs(1, 1, 1, 3)}},
		warns:    "response.content[0].citations[3]: The quoted words are not in the source",
	},
	{
		file: "anthropic/en.json", format: "anthropic.messages",
		sessions: []took{{claims: 5, documents: 5, cited: 5, placed: placedAs(3, 0, 0, 2)}},
		warns:    "request.messages[0].content[2]: The text of this source is not in the file",
	},
	{
		file: "anthropic/response-only.json", format: "anthropic.messages",
		sessions: []took{{claims: 1, documents: 1, cited: 1, placed: placedAs(0, 0, 0, 1)}},
		warns:    "content[0].citations[0]: The text of this source is not in the file",
	},
	{
		file: "bedrock/agentic-ar.json", format: "bedrock",
		sessions: []took{{claims: 1, documents: 2, cited: 1, placed: placedAs(0, 0, 0, 2)}},
		warns:    "citations[0]: This has offsets but no words to compare them with",
	},
	{
		file: "bedrock/rag.json", format: "bedrock",
		sessions: []took{{claims: 2, documents: 2, cited: 1, placed: placedAs(2, 0, 0, 1)}},
		warns:    "citations[1]: This citation has no references, so it names no source",
	},
	{
		file: "cohere/v1-ar.json", format: "cohere.chat",
		sessions: []took{{claims: 1, documents: 1, cited: 1, placed: placedAs(1, 0, 0, 1)}},
		warns:    "response.citations[1]: This names a document that is not in the file",
	},
	{
		file: "cohere/v2.json", format: "cohere.chat",
		sessions: []took{{claims: 2, documents: 2, cited: 1, placed: placedAs(2, 0, 0, 2)}},
		warns:    "message.citations[1]: This cites the model's thinking or plan, not its answer",
	},
	{
		file: "deepeval/case.json", format: "deepeval",
		sessions: []took{{claims: 2, documents: 2, placed: placedAs(0, 0, 0, 0)}},
		warns:    "retrievalContext[2]: This passage has no words",
	},
	{
		file: "deepeval/snake-ar.json", format: "deepeval",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "verdicts: These verdicts came without their claims",
	},
	{
		file: "gemini/rest.json", format: "gemini.grounding",
		sessions: []took{{claims: 2, documents: 2, cited: 1, placed: placedAs(2, 0, 0, 2)}},
		warns:    "candidates[0].groundingMetadata.groundingChunks[1]: This document has no text",
	},
	{
		file: "gemini/sdk.json", format: "gemini.grounding",
		sessions: []took{{claims: 2, documents: 1, cited: 1, placed: placedAs(1, 0, 0, 1)}},
		warns: "candidates[0].grounding_metadata.groundingSupports[1]: This has offsets but no words to compare them " +
			"with",
	},
	{
		file: "intoto/bundle-ar.json", format: "in-toto.statement",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "attestations[0].dsseEnvelope: The signature of this envelope was not checked here.",
	},
	{
		file: "intoto/statements.json", format: "in-toto.statement",
		sessions: []took{{claims: 1, documents: 2, placed: placedAs(0, 0, 0, 0)}},
		warns:    "statements[1]: The signature of this envelope was not checked here.",
	},
	{
		file: "langchain/ar.json", format: "langchain",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "langchain/blocks.json", format: "langchain",
		sessions: []took{{claims: 2, documents: 2, cited: 2, placed: placedAs(1, 1, 0, 2)}},
		warns:    "message.content[0].annotations[4]: This annotation is not a citation",
	},
	{
		file: "langchain/chain.json", format: "langchain",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "context[2].page_content: This document has no words",
	},
	{
		file: "langfuse/ar.json", format: "langfuse.trace",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "langfuse/trace.json", format: "langfuse.trace",
		sessions: []took{{claims: 2, documents: 3, placed: placedAs(0, 0, 0, 0)}},
		warns:    "observations[0].output[2]: This document has no text",
	},
	{
		file: "lettucedetect/ar.json", format: "lettucedetect",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(1, 0, 0, 0)}},
	},
	{
		file: "lettucedetect/row.json", format: "lettucedetect",
		sessions: []took{{claims: 3, documents: 1, placed: placedAs(1, 0, 0, 1)}},
		warns:    "labels[0]: This has offsets but no words to compare them with",
	},
	{
		file: "llamaindex/blocks-ar.json", format: "llamaindex",
		sessions: []took{{claims: 1, documents: 1, cited: 1, placed: placedAs(1, 0, 0, 0)}},
		warns:    "blocks[2]: This kind of block has no text to check",
	},
	{
		file: "llamaindex/response.json", format: "llamaindex",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "source_nodes[2].node.text: This node has no words",
	},
	{
		file: "loki/ar.json", format: "loki",
		sessions: []took{{claims: 1, documents: 1, cited: 1, placed: placedAs(1, 0, 0, 0)}},
	},
	{
		file: "loki/report.json", format: "loki",
		sessions: []took{{claims: 3, documents: 3, cited: 2, placed: placedAs(1, 0, 0, 2)}},
		warns:    "claim_detail[3]: Loki marked this as not worth checking",
	},
	{
		file: "openai/assistants.json", format: "openai.assistants",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(1, 0, 0, 0)}},
		warns:    "data[0].content[0].text.annotations[0]: This document has no text",
	},
	{
		file: "openai/chat.json", format: "openai.chat",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(1, 0, 0, 0)}},
		warns:    "choices[0].message.annotations[0]: This document has no text",
	},
	{
		file: "openai/damaged.json", format: "openai.responses",
		sessions: []took{{claims: 2, documents: 4, placed: placedAs(1, 0, 0, 3)}},
		warns:    "output[0].content[0].annotations[4]: This kind of annotation is unknown",
	},
	{
		file: "openai/responses-ar.json", format: "openai.responses",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(1, 0, 0, 0)}},
		warns:    "output[0].content[0].annotations[0]: This document has no text",
	},
	{
		file: "openai/responses.json", format: "openai.responses",
		sessions: []took{{claims: 2, documents: 3, placed: placedAs(1, 0, 0, 2)}},
		warns:    "response.output[1].content[0].annotations[3]: This names a file made by the model, not a source",
	},
	{
		file: "openinference/trace.json", format: "otlp.spans",
		sessions: []took{{claims: 2, documents: 3, placed: placedAs(0, 0, 0, 0)}},
		warns: "resourceSpans[0].scopeSpans[0].spans[1].attributes[\"retrieval.documents.2.document\"]: This document " +
			"has no text",
	},
	{
		file: "openinference/two-traces-ar.json", format: "otlp.spans",
		sessions: []took{{
			claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0),
		}, {claims: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "otel/genai.json", format: "otlp.spans",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns: "resourceSpans[0].scopeSpans[0].spans[0].attributes[\"gen_ai.retrieval.documents\"]: These documents " +
			"have only ids and scores, but no text",
	},
	{
		file: "ragas/row.json", format: "ragas",
		sessions: []took{{claims: 2, documents: 2, placed: placedAs(0, 0, 0, 0)}},
		warns:    "statements[2]: This statement has no words",
	},
	{
		file: "ragas/rows.jsonl", format: "ragas",
		sessions: []took{{
			claims: 1, documents: 2, placed: placedAs(0, 0, 0, 0),
		}, {
			claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0),
		}, {claims: 1, placed: placedAs(0, 0, 0, 0)}, {claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		refused: []string{"[3].response"},
	},
	{
		file: "ragtruth/joined.json", format: "ragtruth",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "ragtruth/rows.jsonl", format: "ragtruth",
		sessions: []took{{
			claims: 3, documents: 2, placed: placedAs(3, 0, 0, 1),
		}, {claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		refused: []string{"[1].source_info"},
		warns:   "[0].labels[2]: The quoted words are not in the answer",
	},
	{
		file: "refchecker/rows.json", format: "refchecker",
		sessions: []took{{
			claims: 2, documents: 2, placed: placedAs(0, 0, 0, 0),
		}, {claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns: "[0].claims[2]: This claim has no words",
	},
	{
		file: "safe/facts.jsonl", format: "safe", sessions: []took{{claims: 3, placed: placedAs(0, 0, 0, 0)}},
		warns: "[3]: This fact has no words",
	},
	{
		file: "safe/response-ar.json", format: "safe",
		sessions: []took{{claims: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "documents: There are no documents",
	},
	{
		file: "safe/run.json", format: "safe",
		sessions: []took{{
			claims: 1, placed: placedAs(0, 0, 0, 0),
		}, {claims: 1, placed: placedAs(0, 0, 0, 0)}, {claims: 1, placed: placedAs(0, 0, 0, 0)}},
		warns: "documents: There are no documents",
	},
	{
		file: "vercel/ar.json", format: "vercel.ui-message",
		sessions: []took{{claims: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "documents: There are no documents",
	},
	{
		file: "vercel/message.json", format: "vercel.ui-message",
		sessions: []took{{claims: 2, documents: 4, placed: placedAs(0, 0, 0, 0)}},
		warns:    "[1].parts[2].errorText: The tool failed here",
	},
	{
		file: "anthropic/tools.json", format: "anthropic.messages",
		sessions: []took{{claims: 2, documents: 3, placed: placedAs(0, 0, 0, 0)}},
		warns:    "request.messages[2].content[1]: The tool failed here and returned nothing to check against.",
	},
	{
		file: "batch/anthropic-ar.jsonl", format: "batch",
		sessions: []took{{claims: 1, placed: placedAs(0, 0, 0, 0)}},
		refused:  []string{"[1]"},
		warns:    "[0].documents: There are no documents, so no evidence can be found for any claim.",
	},
	{
		file: "batch/openai.jsonl", format: "batch",
		sessions: []took{{claims: 2, placed: placedAs(0, 0, 0, 0)}},
		refused:  []string{"[1]"},
		warns:    "[0].documents: There are no documents, so no evidence can be found for any claim.",
	},
	{
		file: "bedrock/converse.json", format: "bedrock.converse",
		sessions: []took{{claims: 2, documents: 2, cited: 1, placed: placedAs(0, 0, 0, 1)}},
		warns: "response.output.message.content[0].citationsContent.citations[0]: The text of this source is not in " +
			"the file; only what is quoted from it ",
	},
	{
		file: "deepeval/conversation.json", format: "deepeval",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "deepeval/run-ar.json", format: "deepeval",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "gemini/tools-ar.json", format: "gemini.grounding",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "jaeger/trace.json", format: "jaeger",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "label-studio/tasks.json", format: "label-studio",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(1, 0, 0, 0)}},
		warns:    "[0].data.Answer: Citations and labels: 1 placed exactly, 0 after normalising, 0 nearly,",
	},
	{
		file: "langfuse/download.json", format: "langfuse.trace",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "langfuse/observations.json", format: "langfuse.observations",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
		warns:    "data[0]: Traces without an answer were left out: 1 (tB).",
	},
	{
		file: "langsmith/runs.jsonl", format: "langsmith.runs",
		sessions: []took{{claims: 2, documents: 2, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "mlflow/trace-ar.json", format: "mlflow.trace",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "openai/chat-tools-ar.json", format: "openai.chat",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "openai/responses-tools.json", format: "openai.responses",
		sessions: []took{{claims: 2, documents: 3, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "otel/console.jsonl", format: "otel.console",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "otel/snake.json", format: "otlp.spans",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "otel/tool-messages-ar.json", format: "otlp.spans",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "phoenix/columns.json", format: "phoenix.spans",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "phoenix/nested.json", format: "phoenix.spans",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "phoenix/spans.jsonl", format: "phoenix.spans",
		sessions: []took{{claims: 2, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "promptfoo/results.json", format: "promptfoo",
		sessions: []took{{claims: 2, documents: 2, placed: placedAs(0, 0, 0, 0)}},
		refused:  []string{"results.results[1].error"},
	},
	{
		file: "trulens/record-ar.json", format: "trulens",
		sessions: []took{{claims: 1, documents: 1, placed: placedAs(0, 0, 0, 0)}},
	},
	{
		file: "trulens/rows.jsonl", format: "trulens",
		sessions: []took{{claims: 2, placed: placedAs(0, 0, 0, 0)}},
		warns:    "documents: There are no documents, so no evidence can be found for any claim.",
	},
}

type took struct {
	claims, documents, cited int
	placed                   Placed
}

func placedAs(exact, normalised, fuzzy, not int) Placed {
	return Placed{Exact: exact, Normalised: normalised, Fuzzy: fuzzy, NotPlaced: not}
}
