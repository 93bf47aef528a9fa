package importers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/recode"
	"sanad/internal/strictjson"
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
	if len(d.sources) == 0 {
		d.rootDocuments(spans)
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
			d.spanDocument(path, plainJSONText(id), plainJSONText(words), s.attrs.whole(prefix+"metadata"))
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
var messageLists = []string{inputMessages, outputMessages, "llm.input_messages", "ai.prompt.messages", "ai.prompt",
	"input.value", "output.value", "pydantic_ai.all_messages", "all_messages_events"}

// toolMessages reads what tools returned in the messages of a span.
func (d *draft) toolMessages(s *span) {
	for _, key := range messageLists {
		d.toolResults(s.where(key), s.attrs[key])
	}
	for _, list := range []string{"llm.input_messages.%d.message.", "gen_ai.prompt.%d."} {
		c := conversation{d: d}
		for i := range mostMessages {
			prefix := fmt.Sprintf(list, i)
			if begins(s.attrs[prefix+"role"]) == 0 {
				break
			}
			c.message(fmt.Sprintf("%s.attributes[%q]", s.path, strings.TrimSuffix(prefix, ".")), s.attrs.numbered(prefix))
		}
	}
}

// mostMessages and mostCalls are how many messages of a span, and calls of tools in one, are read of numbered
// attributes.
const (
	mostMessages = 10_000
	mostCalls    = 1000
)

// numbered returns the message whose fields are attributes under a prefix, as OpenInference and OpenLLMetry write it.
func (a attributes) numbered(prefix string) attributes {
	out := attributes{}
	for _, name := range []string{"role", "content", "name", "tool_call_id"} {
		if raw := a[prefix+name]; begins(raw) != 0 {
			out[name] = raw
		}
	}
	var calls []attributes
	for i := range mostCalls {
		at := fmt.Sprintf("%stool_calls.%d.", prefix, i)
		id := a.first(at+"id", at+"tool_call.id")
		name := a.first(at+"name", at+"tool_call.function.name")
		if id == nil && name == nil {
			break
		}
		calls = append(calls, attributes{"id": id, "name": name,
			"arguments": a.first(at+"arguments", at+"tool_call.function.arguments")})
	}
	if len(calls) > 0 {
		out["tool_calls"] = recode.Encode(calls)
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
		s.uri = cmp.Or(known["source"]+known["url"], known["doc_uri"])
	}
}

// whole returns a value that stands under a key, or whose fields have keys of their own.
func (a attributes) whole(key string) json.RawMessage {
	if raw := a[key]; begins(raw) != 0 {
		return raw
	}
	out := attributes{}
	for name, raw := range a {
		if field, ok := strings.CutPrefix(name, key+"."); ok {
			out[field] = raw
		}
	}
	return recode.Encode(out)
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
	c := begins(raw)
	if c == 0 || c == '{' || c == '[' || len(raw) > 2000 {
		return nil
	}
	if strictjson.NewCursor(string(raw), 0).Skip() != nil { // a number that is kept exactly as a text only
		return recode.Encode(string(raw))
	}
	return raw
}
