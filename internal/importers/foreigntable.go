package importers

// foreigns are the providers' formats in the order in which they are tried: the ones with the most telling fields first.
var foreigns = []foreign{
	{"in-toto.statement", "an answer with in-toto Statements", [][]string{{
		"statements[].predicateType", "statements[].payload", "statements[].dsseEnvelope", "attestations[].predicateType",
		"attestations[].payload", "attestations[].dsseEnvelope", "predicateType", "payloadType", "dsseEnvelope",
	}}, each(readInToto)},
	{"otlp.spans", "OpenTelemetry GenAI or OpenInference spans", [][]string{{"resourceSpans", "spans[].attributes"}}, together(readOTLP)},
	{"langfuse.trace", "Langfuse traces", [][]string{{"observations"}, {"output", "observations[].output"}, {"scores", "timestamp", "htmlPath", "projectId", "sessionId", "input"}}, each(readLangfuse)},
	{"openai.responses", "OpenAI responses with annotations", [][]string{{
		"output[].content[].type=output_text", "response.output[].content[].type=output_text", "output[].type=message",
		"response.output[].type=message", "object=response", "response.object=response",
	}}, each(readOpenAI)},
	{"openai.assistants", "OpenAI Assistants messages", [][]string{{"content[].text.annotations", "data[].content[].text.annotations"}}, each(readAssistants)},
	{"openai.chat", "OpenAI chat completions", [][]string{{"choices[].message", "response.choices[].message", "annotations[].url_citation"}}, each(readOpenAIChat)},
	{"gemini.grounding", "Gemini answers with grounding", [][]string{{"candidates[].content.parts", "response.candidates[].content.parts"}}, each(readGemini)},
	{"bedrock", "Bedrock RetrieveAndGenerate or AgenticRetrieve answers", [][]string{
		{"output.text", "answer", "response.output.text", "response.answer"},
		{"citations", "response.citations"},
		{"citations[].retrievedReferences", "citations[].generatedResponsePart", "citations[].references", "citations[].startIndex",
			"response.citations[].retrievedReferences", "response.citations[].generatedResponsePart", "response.citations[].references"},
	}, each(readBedrock)},
	{"langchain", "LangChain documents or content blocks", [][]string{{
		"page_content", "context[].page_content", "documents[].page_content", "source_documents[].page_content", "context[].kwargs.page_content",
		"source_documents[].kwargs.page_content", "content[].annotations", "message.content[].annotations", "answer.content[].annotations",
	}}, together(readLangChain)},
	{"cohere.chat", "Cohere chat answers with citations", [][]string{{
		"message.citations", "response.message.citations", "message.content[].type", "response.message.content[].type",
		"citations[].document_ids", "response.citations[].document_ids", "generation_id", "response.generation_id",
	}}, each(readCohere)},
	{"llamaindex", "LlamaIndex responses with source nodes", [][]string{{
		"source_nodes", "blocks[].block_type", "message.blocks[].block_type", "node.id_", "node.text",
	}}, each(readLlamaIndex)},
	{"anthropic.messages", "Anthropic messages with citations", [][]string{
		{"content[].citations", "response.content[].type", "messages[].content[].citations", "type=message", "content[].type=text"},
		{"content[].type", "response.content[].type", "messages[].content[].type"},
	}, each(readAnthropic)},
	{"vercel.ui-message", "Vercel AI SDK messages", [][]string{{"parts[].type", "messages[].parts[].type"}}, together(readVercel)},
	{"loki", "Loki reports", [][]string{{"claim_detail"}, {"raw_text"}}, each(readLoki)},
	{"safe", "SAFE facts", [][]string{{"checked_statements", "self_contained_atomic_fact", "atomic_fact", "per_prompt_data"},
		{"annotation", "checked_statements[].annotation", "per_prompt_data[].side1_posthoc_eval_data", "per_prompt_data[].side2_posthoc_eval_data"}}, readSAFE},
	{"ragas", "Ragas rows", [][]string{
		{"user_input", "contexts"}, {"user_input", "retrieved_contexts", "question"}, {"response", "answer", "user_input[].type=ai"},
	}, each(readRagas)},
	{"ragtruth", "RAGTruth rows", [][]string{{"source_id"}, {"labels", "source_info"}, {"response"}}, readRAGTruth},
	{"deepeval", "DeepEval test cases", [][]string{{"actualOutput", "actual_output"}, {"input", "retrievalContext", "retrieval_context", "context"}}, each(readDeepEval)},
	{"lettucedetect", "LettuceDetect rows", [][]string{{"labels", "predictions"}, {"context", "prompt"}, {"answer"}}, each(readLettuce)},
	{"refchecker", "RefChecker rows", [][]string{{"reference"}, {"claims", "ys", "Y", "question"}, {"response"}}, each(readRefChecker)},
}
