package importers

// foreignCases says of every sample what comes out: for each session the numbers of claims, documents and of claims with
// a citation that leads to a passage, and how citations and labels were placed.
var foreignCases = []struct {
	file, format string
	sessions     []took
	refused      []string // path of the fault of each row that was not taken
	warns        string   // part of a warning: its path and words
}{
	{"anthropic/ar.json", "anthropic.messages", []took{{2, 1, 2, placedAs(1, 1, 0, 0)}}, nil, ""},
	{"anthropic/damaged.json", "anthropic.messages", []took{{1, 1, 1, placedAs(1, 1, 1, 3)}}, nil, "response.content[0].citations[3]: The quoted words do not stand in the source"},
	{"anthropic/en.json", "anthropic.messages", []took{{5, 5, 5, placedAs(3, 0, 0, 2)}}, nil, "request.messages[0].content[2]: The text of this source is not in the file"},
	{"anthropic/response-only.json", "anthropic.messages", []took{{1, 1, 1, placedAs(0, 0, 0, 1)}}, nil, "content[0].citations[0]: The text of this source is not in the file"},
	{"bedrock/agentic-ar.json", "bedrock", []took{{1, 2, 1, placedAs(0, 0, 0, 2)}}, nil, "citations[0]: This has offsets, but no words to compare them with"},
	{"bedrock/rag.json", "bedrock", []took{{2, 2, 1, placedAs(2, 0, 0, 1)}}, nil, "citations[1]: This citation has no references, so it names no source"},
	{"cohere/v1-ar.json", "cohere.chat", []took{{1, 1, 1, placedAs(1, 0, 0, 1)}}, nil, "response.citations[1]: This names a document that the file does not have"},
	{"cohere/v2.json", "cohere.chat", []took{{2, 2, 1, placedAs(2, 0, 0, 2)}}, nil, "message.citations[1]: This cites the model's thinking or plan, not its answer"},
	{"deepeval/case.json", "deepeval", []took{{2, 2, 0, placedAs(0, 0, 0, 0)}}, nil, "retrievalContext[2]: This passage has no words"},
	{"deepeval/snake-ar.json", "deepeval", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "verdicts: These verdicts stand without their claims"},
	{"gemini/rest.json", "gemini.grounding", []took{{2, 2, 1, placedAs(2, 0, 0, 2)}}, nil, "candidates[0].groundingMetadata.groundingChunks[1]: This document has no text"},
	{"gemini/sdk.json", "gemini.grounding", []took{{2, 1, 1, placedAs(1, 0, 0, 1)}}, nil, "candidates[0].grounding_metadata.groundingSupports[1]: This has offsets, but no words to compare them with"},
	{"intoto/bundle-ar.json", "in-toto.statement", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "attestations[0].dsseEnvelope: The signature of this envelope was not checked here."},
	{"intoto/statements.json", "in-toto.statement", []took{{1, 2, 0, placedAs(0, 0, 0, 0)}}, nil, "statements[1]: The signature of this envelope was not checked here."},
	{"langchain/ar.json", "langchain", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, ""},
	{"langchain/blocks.json", "langchain", []took{{2, 2, 2, placedAs(1, 1, 0, 2)}}, nil, "message.content[0].annotations[4]: This annotation is no citation"},
	{"langchain/chain.json", "langchain", []took{{2, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "context[2].page_content: This document has no words"},
	{"langfuse/ar.json", "langfuse.trace", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, ""},
	{"langfuse/trace.json", "langfuse.trace", []took{{2, 3, 0, placedAs(0, 0, 0, 0)}}, nil, "observations[0].output[2]: This document has no text"},
	{"lettucedetect/ar.json", "lettucedetect", []took{{1, 1, 0, placedAs(1, 0, 0, 0)}}, nil, ""},
	{"lettucedetect/row.json", "lettucedetect", []took{{3, 1, 0, placedAs(1, 0, 0, 1)}}, nil, "labels[0]: This has offsets, but no words to compare them with"},
	{"llamaindex/blocks-ar.json", "llamaindex", []took{{1, 1, 1, placedAs(1, 0, 0, 0)}}, nil, "blocks[2]: This kind of block has no text to check"},
	{"llamaindex/response.json", "llamaindex", []took{{2, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "source_nodes[2].node.text: This node has no words"},
	{"loki/ar.json", "loki", []took{{1, 1, 1, placedAs(1, 0, 0, 0)}}, nil, ""},
	{"loki/report.json", "loki", []took{{3, 3, 2, placedAs(1, 0, 0, 2)}}, nil, "claim_detail[3]: Loki found this not worth checking"},
	{"openai/assistants.json", "openai.assistants", []took{{2, 1, 0, placedAs(1, 0, 0, 0)}}, nil, "data[0].content[0].text.annotations[0]: This document has no text"},
	{"openai/chat.json", "openai.chat", []took{{2, 1, 0, placedAs(1, 0, 0, 0)}}, nil, "choices[0].message.annotations[0]: This document has no text"},
	{"openai/damaged.json", "openai.responses", []took{{2, 4, 0, placedAs(1, 0, 0, 3)}}, nil, "output[0].content[0].annotations[4]: This kind of annotation is not known here"},
	{"openai/responses-ar.json", "openai.responses", []took{{2, 1, 0, placedAs(1, 0, 0, 0)}}, nil, "output[0].content[0].annotations[0]: This document has no text"},
	{"openai/responses.json", "openai.responses", []took{{2, 3, 0, placedAs(1, 0, 0, 2)}}, nil, "response.output[1].content[0].annotations[3]: This names a file that the model made, no source"},
	{"openinference/trace.json", "otlp.spans", []took{{2, 3, 0, placedAs(0, 0, 0, 0)}}, nil, "resourceSpans[0].scopeSpans[0].spans[1].attributes[\"retrieval.documents.2.document\"]: This document has no text"},
	{"openinference/two-traces-ar.json", "otlp.spans", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}, {1, 0, 0, placedAs(0, 0, 0, 0)}}, nil, ""},
	{"otel/genai.json", "otlp.spans", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "resourceSpans[0].scopeSpans[0].spans[0].attributes[\"gen_ai.retrieval.documents\"]: These documents have ids and scores only, no text"},
	{"ragas/row.json", "ragas", []took{{2, 2, 0, placedAs(0, 0, 0, 0)}}, nil, "statements[2]: This statement has no words"},
	{"ragas/rows.jsonl", "ragas", []took{{1, 2, 0, placedAs(0, 0, 0, 0)}, {1, 1, 0, placedAs(0, 0, 0, 0)}, {1, 0, 0, placedAs(0, 0, 0, 0)}, {1, 1, 0, placedAs(0, 0, 0, 0)}}, []string{"[3].response"}, ""},
	{"ragtruth/joined.json", "ragtruth", []took{{1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, ""},
	{"ragtruth/rows.jsonl", "ragtruth", []took{{3, 2, 0, placedAs(3, 0, 0, 1)}, {1, 1, 0, placedAs(0, 0, 0, 0)}}, []string{"[1].source_info"}, "[0].labels[2]: The quoted words do not stand in the answer"},
	{"refchecker/rows.json", "refchecker", []took{{2, 2, 0, placedAs(0, 0, 0, 0)}, {1, 1, 0, placedAs(0, 0, 0, 0)}}, nil, "[0].claims[2]: This claim has no words"},
	{"safe/facts.jsonl", "safe", []took{{3, 0, 0, placedAs(0, 0, 0, 0)}}, nil, "[3]: This fact has no words"},
	{"safe/response-ar.json", "safe", []took{{1, 0, 0, placedAs(0, 0, 0, 0)}}, nil, "documents: There are no documents"},
	{"safe/run.json", "safe", []took{{1, 0, 0, placedAs(0, 0, 0, 0)}, {1, 0, 0, placedAs(0, 0, 0, 0)}, {1, 0, 0, placedAs(0, 0, 0, 0)}}, nil, "documents: There are no documents"},
	{"vercel/ar.json", "vercel.ui-message", []took{{1, 0, 0, placedAs(0, 0, 0, 0)}}, nil, "documents: There are no documents"},
	{"vercel/message.json", "vercel.ui-message", []took{{2, 4, 0, placedAs(0, 0, 0, 0)}}, nil, "[1].parts[2].errorText: The tool failed here"},
}

type took struct {
	claims, documents, cited int
	placed                   Placed
}

func placedAs(exact, normalised, fuzzy, not int) Placed {
	return Placed{Exact: exact, Normalised: normalised, Fuzzy: fuzzy, NotPlaced: not}
}
