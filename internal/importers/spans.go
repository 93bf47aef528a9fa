package importers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/words"
)

// The content of spans in the conventions of OpenTelemetry GenAI (semantic-conventions v1.41.1 docs/gen-ai) and
// OpenInference (spec/semantic_conventions.md). OpenInference has the text of retrieved passages, GenAI only
// ids and scores.

// traceDraft returns the draft of one trace, whose spans are in chronological order.
func traceDraft(id string, spans []span) *draft {
	d := newDraft("", "")
	d.head.TraceID = id
	if len(spans) > 0 {
		d.path, d.answerAt = spans[0].path, spans[0].path
	}
	within := retrievals(spans)
	apart := false // whether what tools returned has spans of its own
	for i := range spans {
		s := &spans[i]
		d.retrieved(s)
		apart = apart || s.retrieves() || s.toolCall() != nil
		if !within[s.id] {
			d.toolCalled(s)
		}
		d.evaluated(s)
		if m := s.attrs.text("llm.model_name", "gen_ai.response.model", "gen_ai.request.model"); m != "" {
			d.head.Model = m
		}
	}
	for i := range spans {
		if !apart {
			d.toolMessages(&spans[i])
		}
	}
	d.spanAnswer(spans)
	d.unreadMessages(spans)
	for i := range spans {
		if q := spans[i].question(); q != "" && (d.head.Query == "" || spans[i].root) {
			d.head.Query = q
		}
	}
	return d
}

// retrieved reads the passages of a span.
func (d *draft) retrieved(s *span) {
	for _, list := range []string{"retrieval.documents", "reranker.output_documents"} {
		for i := 0; i < 10_000; i++ {
			prefix := fmt.Sprintf("%s.%d.document.", list, i)
			words, ok := s.attrs[prefix+"content"]
			id, named := s.attrs[prefix+"id"]
			if !ok && !named {
				break
			}
			path := fmt.Sprintf("%s.attributes[%q]", s.path, strings.TrimSuffix(prefix, "."))
			d.spanDocument(path, plainJSONText(id), plainJSONText(words), s.attrs[prefix+"metadata"])
		}
	}
	if kind := s.kind(); (kind == "RETRIEVER" || kind == "RERANKER") && !s.attrs.under("retrieval.documents.") &&
		!s.attrs.under("reranker.output_documents.") && begins(s.attrs["output.value"]) != 0 {
		d.found(s.where("output.value"), unpacked(s.attrs["output.value"]))
	}
	raw := s.attrs["gen_ai.retrieval.documents"]
	if begins(raw) == '"' {
		raw = json.RawMessage(plainJSONText(raw))
	}
	var ids []struct {
		ID json.RawMessage `json:"id"`
	}
	if begins(raw) == '[' && json.Valid(raw) && sub("", raw, &ids) == nil && len(ids) > 0 {
		d.skip(s.path+`.attributes["gen_ai.retrieval.documents"]`,
			words.Msg("warning_ids_only"))
		for _, x := range ids {
			if id, ok := rowID(x.ID); ok && id != "" {
				d.source(s.path, id)
			}
		}
	}
}

// messageLists are the attributes that hold messages, among them what tools returned to a model.
var messageLists = []string{inputMessages, outputMessages, "llm.input_messages", "ai.prompt.messages", "ai.prompt", "input.value",
	"output.value", "pydantic_ai.all_messages", "all_messages_events"}

// toolMessages reads what tools returned in the messages of a span.
func (d *draft) toolMessages(s *span) {
	for _, key := range messageLists {
		d.toolResults(s.where(key), s.attrs[key])
	}
	for _, list := range []string{"llm.input_messages.%d.message.", "gen_ai.prompt.%d."} {
		c := conversation{d: d}
		for i := 0; i < 10_000; i++ {
			prefix := fmt.Sprintf(list, i)
			if !s.attrs.under(prefix) {
				break
			}
			c.message(fmt.Sprintf("%s.attributes[%q]", s.path, strings.TrimSuffix(prefix, ".")), s.attrs.within(prefix))
		}
	}
}

// within returns the attributes under a prefix, without it; calls of tools as OpenInference and OpenLLMetry number them.
func (a attributes) within(prefix string) attributes {
	out, calls := attributes{}, map[string]map[string]json.RawMessage{}
	for key, raw := range a {
		name, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		if out[name] = raw; strings.HasPrefix(name, "tool_calls.") || strings.HasPrefix(name, "message.tool_calls.") {
			number := strings.SplitN(strings.TrimPrefix(strings.TrimPrefix(name, "message."), "tool_calls."), ".", 2)
			if calls[number[0]] == nil {
				calls[number[0]] = map[string]json.RawMessage{}
			}
			field := name[strings.LastIndexByte(name, '.')+1:]
			calls[number[0]][field] = raw
		}
	}
	var list []map[string]json.RawMessage
	for _, number := range slices.Sorted(maps.Keys(calls)) {
		list = append(list, calls[number])
	}
	if len(list) > 0 {
		out["tool_calls"] = mustJSON(list)
	}
	return out
}

// spanDocument reads a passage; retrieving it twice doesn't duplicate it.
func (d *draft) spanDocument(path, id, words string, metadata json.RawMessage) {
	if begins(metadata) == '"' {
		metadata = json.RawMessage(strings.TrimSpace(plainJSONText(metadata)))
	}
	var fields map[string]json.RawMessage
	known := map[string]string{}
	if begins(metadata) == '{' && json.Valid(metadata) && sub("", metadata, &fields) == nil {
		known = texts(fields)
	}
	if id == "" {
		id = known["source"]
	}
	if id == "" && len(d.sources) < manySources && slices.ContainsFunc(d.sources,
		func(s *source) bool { _, ok := s.known[words]; return ok }) {
		return
	}
	s := d.passage(path, id, known["title"], words)
	if s.uri == "" {
		s.uri = known["source"] + known["url"]
	}
}

// evaluated stores evaluations of the answer.
func (d *draft) evaluated(s *span) {
	for i := 0; i < 1000; i++ {
		prefix := fmt.Sprintf("evaluations.%d.evaluation.", i)
		if !s.attrs.under(prefix) {
			break
		}
		d.evaluation(s.attrs, prefix, "label", "score", "explanation")
	}
	for _, e := range s.events {
		if e.name == "gen_ai.evaluation.result" {
			d.evaluation(e.attrs, "gen_ai.evaluation.", "score.label", "score.value", "explanation")
		}
	}
}

func (d *draft) evaluation(a attributes, prefix, label, value, note string) {
	d.scores = append(d.scores, upstreamScore{
		Name: clipped(a.text(prefix+"name"), 200), Value: short(a[prefix+value]),
		Label: clipped(a.text(prefix+label), 200), Note: clipped(a.text(prefix+note), 2000),
	})
}

// short returns a value that is a number or a short text, nil for anything larger.
func short(raw json.RawMessage) json.RawMessage {
	if c := begins(raw); c == 0 || c == '{' || c == '[' || len(raw) > 2000 {
		return nil
	}
	return raw
}
