package importers

import (
	"encoding/json"
	"strings"
)

// dialects are the attributes in which other conventions keep what an attribute of OpenInference has, the most telling
// first: of OpenLLMetry, MLflow, Langfuse, LangSmith, TruLens and Logfire.
var dialects = []struct {
	key    string
	others []string
}{
	{"openinference.span.kind", []string{"traceloop.span.kind", "mlflow.spanType", "langfuse.observation.type",
		"langsmith.span.kind", "ai.observability.span_type"}},
	{"input.value", []string{"traceloop.entity.input", "mlflow.spanInputs", "langfuse.observation.input",
		"langfuse.trace.input", "ai.observability.record_root.input", "ai.observability.retrieval.query_text",
		"tool_arguments"}},
	{"output.value", []string{"traceloop.entity.output", "mlflow.spanOutputs", "langfuse.observation.output",
		"langfuse.trace.output", "ai.observability.record_root.output",
		"ai.observability.retrieval.retrieved_contexts", "tool_response", "final_result"}},
	{"llm.model_name", []string{"langfuse.observation.model.name", "mlflow.llm.model", "ai.observability.cost.model"}},
}

// spanKinds are OpenInference's kinds of spans by the words of others.
var spanKinds = map[string]string{
	"RETRIEVAL": "RETRIEVER", "RERANK": "RERANKER", "GENERATION": "LLM", "CHAT_MODEL": "LLM", "CHAT": "LLM",
	"COMPLETION": "LLM", "WORKFLOW": "CHAIN", "TASK": "CHAIN", "SPAN": "CHAIN", "EVENT": "CHAIN", "RECORD_ROOT": "CHAIN",
}

// translate gives a span the attributes of OpenInference that it has in another convention.
func (s *span) translate() {
	for _, x := range dialects {
		if begins(s.attrs[x.key]) != 0 {
			continue
		}
		if key, raw := s.attrs.named(x.others...); raw != nil {
			s.state(x.key, s.path+`.attributes["`+key+`"]`, raw)
		}
	}
	if s.kind() == "TOOL" && begins(s.attrs["tool.name"]) == 0 && begins(s.attrs["traceloop.entity.name"]) != 0 {
		s.attrs["tool.name"] = s.attrs["traceloop.entity.name"]
	}
	if s.retrievesByName() {
		s.attrs["openinference.span.kind"] = json.RawMessage(`"RETRIEVER"`)
	}
}

// retrievesByName reports whether a span of no particular kind is a retrieval by its name: who sends no kinds names
// them so. What names itself a chain, or is the root, may be all of an application that retrieves, and must give out
// documents.
func (s *span) retrievesByName() bool {
	name, kind := strings.ToLower(s.name), s.kind()
	if !strings.Contains(name, "retriev") && !strings.Contains(name, "rerank") || kind != "" && kind != "CHAIN" {
		return false
	}
	written := strings.ToUpper(s.attrs.text("openinference.span.kind"))
	return !s.root && (written == "" || written == "SPAN") || holdsDocuments(s.attrs["output.value"])
}

// state sets an attribute that stands elsewhere in the file.
func (s *span) state(key, path string, raw json.RawMessage) {
	if begins(raw) == 0 {
		return
	}
	if s.places == nil {
		s.places = map[string]string{}
	}
	s.attrs[key], s.places[key] = raw, path
}

// where returns the place of an attribute in the file.
func (s *span) where(key string) string {
	if place := s.places[key]; place != "" {
		return place
	}
	return s.path + `.attributes["` + key + `"]`
}

// kind returns the kind of a span in OpenInference's words, "" if it says none.
func (s *span) kind() string {
	kind := strings.ToUpper(plainJSONText(unpacked(s.attrs["openinference.span.kind"])))
	if known := spanKinds[kind]; known != "" {
		return known
	}
	return kind
}
