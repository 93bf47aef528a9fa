package importers

// foreigns are the providers' formats in the order in which they are tried: those with the most
// distinctive fields first.
func foreigns() []foreign {
	return []foreign{
		{name: "in-toto.statement", noun: "noun_intoto", needs: [][]string{{
			"statements[].predicateType", "statements[].payload", "statements[].dsseEnvelope",
			"attestations[].predicateType",
			"attestations[].payload", "attestations[].dsseEnvelope", "predicateType", "payloadType", "dsseEnvelope",
		}}, read: each(readInToto)},
		{name: "openai.chat", noun: "noun_streamed", needs: [][]string{{"choices[].delta", "events[].choices[].delta"}},
			read: streamed(func() joiner { return &chatJoiner{} }, readOpenAIChat)},
		{name: "openai.chat", noun: "noun_streamed", needs: [][]string{{"object=text_completion",
			"events[].object=text_completion"}}, read: streamed(func() joiner { return &chatJoiner{} }, readOpenAIChat)},
		{name: "openai.assistants", noun: "noun_streamed", needs: [][]string{{"object=thread.message.delta",
			"events[].object=thread.message.delta"}},
			read: streamed(func() joiner { return &threadJoiner{} }, readAssistants)},
		{name: "openai.responses", noun: "noun_streamed", needs: [][]string{{"type=response.created",
			"type=response.completed", "events[].type=response.created", "events[].type=response.completed"}},
			read: streamed(func() joiner { return &responsesJoiner{} }, readOpenAI)},
		{name: "anthropic.messages", noun: "noun_streamed", needs: [][]string{{"type=message_start",
			"type=content_block_delta", "events[].type=message_start", "events[].type=content_block_delta"}},
			read: streamed(func() joiner { return &messagesJoiner{} }, readAnthropic)},
		{name: "cohere.chat", noun: "noun_streamed", needs: [][]string{{"type=message-start", "type=content-delta",
			"events[].type=message-start", "events[].type=content-delta"}},
			read: streamed(func() joiner { return &cohereJoiner{} }, readCohere)},
		{name: "gemini.grounding", noun: "noun_streamed", needs: [][]string{{"events[].candidates"}},
			read: streamed(func() joiner { return &geminiJoiner{} }, readGemini)},
		{name: "bedrock.converse", noun: "noun_streamed", needs: [][]string{{"contentBlockDelta",
			"events[].contentBlockDelta"}}, read: streamed(func() joiner { return &converseJoiner{} }, readConverse)},
		{name: "vercel.ui-message", noun: "noun_streamed", needs: [][]string{{"type=text-delta",
			"events[].type=text-delta"}}, read: streamed(func() joiner { return &messageJoiner{} }, func(r row) (*draft, error) {
			list, err := readVercel([]row{r})
			if err != nil {
				return nil, err
			}
			return list[0], nil
		})},
		{name: "batch", noun: "noun_batch", needs: [][]string{
			{"custom_id", "key", "recordId", "processed_time", inlinedBatch + "[].response", inlinedBatch + "[].error",
				inlinedSnake + "[].response", inlinedSnake + "[].error"},
			{"response.body", "response.candidates", "result.message", "result.type", "error", "modelOutput", "status",
				inlinedBatch, inlinedSnake},
		}, read: eachIn(readBatch, inlinedBatch, inlinedSnake)},
		{name: "langfuse.trace", noun: "noun_langfuse", needs: [][]string{
			{"observations", "data[].observations"},
			{"output", "trace.output", "data[].output", "observations[].output"},
			{"scores", "timestamp", "htmlPath", "projectId", "sessionId", "input", "trace.id", "data[].htmlPath"},
		}, read: together(readTraces)},
		{name: "langfuse.trace", noun: "noun_langfuse", needs: [][]string{ // the download of the page of traces
			{"output", "data[].output"}, {"timestamp", "data[].timestamp"}, {"sessionId", "data[].sessionId"},
			{"userId", "data[].userId"},
		}, read: together(readTraces)},
		{name: "mlflow.trace", noun: "noun_mlflow", needs: [][]string{
			{"data.spans", "traces[].data.spans"},
			{"info.trace_id", "info.request_id", "traces[].info.trace_id", "traces[].info.request_id"},
		}, read: together(readTraces)},
		{name: "mlflow.trace", noun: "noun_mlflow", needs: [][]string{ // rows of search_traces
			{"spans[].attributes"}, {"trace_metadata", "trace_location"}, {"trace_id", "request_id"},
		}, read: together(readTraces)},
		{name: "jaeger", noun: "noun_jaeger", needs: [][]string{
			{"data[].spans[].operationName", "spans[].operationName", "operationName"},
			{"data[].spans[].traceID", "spans[].traceID", "traceID"},
		}, read: together(readTraces)},
		{name: "otlp.spans", noun: "noun_otlp", needs: [][]string{{
			"resourceSpans", "resource_spans", "trace.resourceSpans", "result.resourceSpans",
			"batches[].scopeSpans", "batches[].scope_spans",
			"batches[].instrumentationLibrarySpans", "spans[].attributes",
		}}, read: together(readOTLP)},
		{name: "phoenix.spans", noun: "noun_phoenix", needs: [][]string{
			{"context.trace_id", "data[].context.trace_id"}, {"span_kind", "data[].span_kind"},
		}, read: together(readTraces)},
		{name: "otlp.spans", noun: "noun_otlp", needs: [][]string{
			{"attributes[].value", "data[].attributes[].value"}, {"span_id", "spanId", "data[].span_id", "data[].spanId"},
		}, read: together(readTraces)},
		{name: "otel.console", noun: "noun_console", needs: [][]string{
			{"context.trace_id"}, {"attributes"}, {"kind", "parent_id", "start_time"},
		}, read: together(readTraces)},
		{name: "langsmith.runs", noun: "noun_langsmith", needs: [][]string{
			{"run_type", "runs[].run_type", "post[].run_type"},
			{"inputs", "outputs", "runs[].inputs", "runs[].outputs", "post[].inputs"},
		}, read: together(readTraces)},
		{name: "langfuse.observations", noun: "noun_observations", needs: [][]string{
			{"traceId", "data[].traceId"}, {"type", "data[].type"}, {"output", "data[].output"},
			{"parentObservationId", "data[].parentObservationId", "startTime", "data[].startTime"},
		}, read: together(readTraces)},
		{name: "openai.responses", noun: "noun_openai", needs: [][]string{{
			"output[].content[].type=output_text", "response.output[].content[].type=output_text", "output[].type=message",
			"response.output[].type=message", "object=response", "response.object=response",
		}}, read: each(readOpenAI)},
		{
			name: "openai.assistants", noun: "noun_assistants",
			needs: [][]string{{"content[].text.annotations", "data[].content[].text.annotations"}},
			read:  each(readAssistants),
		},
		{
			name: "openai.chat", noun: "noun_openai_chat",
			needs: [][]string{{"choices[].message", "response.choices[].message", "annotations[].url_citation"}},
			read:  each(readOpenAIChat),
		},
		{
			name: "gemini.grounding", noun: "noun_gemini",
			needs: [][]string{{"candidates[].content.parts", "response.candidates[].content.parts"}},
			read:  readGeminiRows,
		},
		{
			name: "bedrock.converse", noun: "noun_converse",
			needs: [][]string{{"output.message.content", "response.output.message.content"}}, read: each(readConverse),
		},
		{name: "bedrock", noun: "noun_bedrock", needs: [][]string{
			{"output.text", "answer", "response.output.text", "response.answer"},
			{"citations", "response.citations"},
			{"citations[].retrievedReferences", "citations[].generatedResponsePart", "citations[].references",
				"citations[].startIndex",
				"response.citations[].retrievedReferences", "response.citations[].generatedResponsePart",
				"response.citations[].references"},
		}, read: each(readBedrock)},
		{name: "langchain", noun: "noun_langchain", needs: [][]string{{
			"page_content", "context[].page_content", "documents[].page_content", "source_documents[].page_content",
			"context[].kwargs.page_content",
			"source_documents[].kwargs.page_content", "content[].annotations", "message.content[].annotations",
			"answer.content[].annotations",
		}}, read: together(readLangChain)},
		{name: "cohere.chat", noun: "noun_cohere", needs: [][]string{{
			"message.citations", "response.message.citations", "message.content[].type", "response.message.content[].type",
			"citations[].document_ids", "response.citations[].document_ids", "generation_id", "response.generation_id",
		}}, read: each(readCohere)},
		{name: "llamaindex", noun: "noun_llamaindex", needs: [][]string{{
			"source_nodes", "blocks[].block_type", "message.blocks[].block_type", "node.id_", "node.text",
		}}, read: each(readLlamaIndex)},
		{name: "anthropic.messages", noun: "noun_anthropic", needs: [][]string{
			{"content[].citations", "response.content[].type", "messages[].content[].citations", "type=message",
				"content[].type=text"},
			{"content[].type", "response.content[].type", "messages[].content[].type"},
		}, read: each(readAnthropic)},
		{
			name: "vercel.ui-message", noun: "noun_vercel",
			needs: [][]string{{"parts[].type", "messages[].parts[].type"}}, read: together(readVercel),
		},
		{name: "loki", noun: "noun_loki", needs: [][]string{{"claim_detail"}, {"raw_text"}}, read: each(readLoki)},
		{name: "safe", noun: "noun_safe",
			needs: [][]string{{"checked_statements", "self_contained_atomic_fact", "atomic_fact", "per_prompt_data"},
				{"annotation", "checked_statements[].annotation", "per_prompt_data[].side1_posthoc_eval_data",
					"per_prompt_data[].side2_posthoc_eval_data"}}, read: readSAFE},
		{name: "ragas", noun: "noun_ragas", needs: [][]string{
			{"user_input", "contexts"}, {"user_input", "retrieved_contexts", "question"},
			{"response", "answer", "user_input[].type=ai"},
		}, read: each(readRagas)},
		{name: "promptfoo", noun: "noun_promptfoo", needs: [][]string{
			{"vars", "results.results[].vars", "results[].vars"},
			{"gradingResult", "success", "promptIdx", "results.results[].success", "results[].success"},
		}, read: eachIn(readPromptfoo, "results.results", "results")},
		{name: "promptfoo", noun: "noun_promptfoo", needs: [][]string{{"Grader Reason"}, {"Status"}, {"Score"}},
			read: readPromptfooTable},
		{name: "trulens", noun: "noun_trulens", needs: [][]string{
			{"record_id"}, {"main_input", "input", "record_json"}, {"main_output", "output", "record_json"},
		}, read: each(readTruLens)},
		{name: "trulens.spans", noun: "noun_trulens", needs: [][]string{
			{"record_attributes"}, {"trace.span_id", "trace.trace_id"},
		}, read: together(readTraces)},
		{name: "label-studio", noun: "noun_label_studio", needs: [][]string{
			{"data"}, {"annotations[].result", "predictions[].result", "completions[].result"},
		}, read: each(readLabelStudio)},
		{name: "label-studio", noun: "noun_label_studio", needs: [][]string{{"annotation_id"}, {"annotator"},
			{"lead_time"}}, read: each(readLabelRow)},
		{
			name: "ragtruth", noun: "noun_ragtruth",
			needs: [][]string{{"source_id"}, {"labels", "source_info"}, {"response"}}, read: readRAGTruth,
		},
		{
			name: "deepeval", noun: "noun_deepeval",
			needs: [][]string{{"actualOutput", "actual_output", "testCases[].actualOutput", "conversationalTestCases[].turns",
				"testCases[].turns", "testRunData.testCases[].actualOutput", "testRunData.conversationalTestCases[].turns"},
				{"input", "retrievalContext", "retrieval_context", "context", "testCases[].input",
					"conversationalTestCases[].turns", "testCases[].turns", "testRunData.testCases[].input",
					"testRunData.conversationalTestCases[].turns"}},
			read: eachIn(readDeepEval, "testCases", "conversationalTestCases", "testRunData.testCases",
				"testRunData.conversationalTestCases"),
		},
		{
			name: "lettucedetect", noun: "noun_lettuce",
			needs: [][]string{{"labels", "predictions"}, {"context", "prompt"}, {"answer"}},
			read:  each(readLettuce),
		},
		{
			name: "refchecker", noun: "noun_refchecker",
			needs: [][]string{{"reference"}, {"claims", "ys", "Y", "question"}, {"response"}},
			read:  each(readRefChecker),
		},
	}
}
