package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"sanad/internal/words"
)

// Files of tracers that are no OTLP: Phoenix (REST, JSONL, DataFrame), the console exporter of OpenTelemetry's SDKs,
// Jaeger, Langfuse, LangSmith and MLflow. They name the same things differently; spans.go reads what the spans say.

// The names of a span's fields, those first that others use for something else besides.
var (
	spanIDs     = []string{"context.span_id", "span_id", "spanId", "spanID", "id", "run_id"}
	spanTraces  = []string{"context.trace_id", "trace_id", "traceId", "traceID", "request_id"}
	spanParents = []string{"parent_span_id", "parentSpanId", "parent_id", "parentId", "parentObservationId",
		"parent_observation_id", "parent_run_id"}
	spanStarts = []string{"start_time_unix_nano", "startTimeUnixNano", "start_time", "startTime", "start_time_ns"}
	spanTypes  = []string{"span_kind", "run_type", "span_type", "spanType", "type"}
	spanLists  = []string{"spans", "observations", "runs", "child_runs", "post", "patch", "traces", "data"}
	// spanFields are what is known of a span beside its attributes, as OpenInference names it
	spanFields = []struct {
		key   string
		names []string
	}{{"input.value", []string{"input", "inputs"}}, {"output.value", []string{"output", "outputs"}},
		{"llm.model_name", []string{"model", "model_name", "providedModelName"}}}
)

// traceReader collects the spans of a file by their trace.
type traceReader struct {
	traces map[string][]span
	scores map[string][]upstreamScore
}

// readTraces reads every trace of the file.
func readTraces(rows []row) ([]*draft, error) {
	t := &traceReader{traces: map[string][]span{}, scores: map[string][]upstreamScore{}}
	for _, r := range rows {
		var m attributes
		if err := r.into(&m); err != nil {
			return nil, err
		}
		t.collect(r.path, m, "", 0)
	}
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(t.traces)) {
		list := t.traces[id]
		slices.SortStableFunc(list, func(a, b span) int { return strings.Compare(a.start, b.start) })
		rooted(list)
		d := traceDraft(id, list)
		d.head.ExternalID = id
		d.scores = append(d.scores, t.scores[id]...)
		out = append(out, d)
	}
	return withAnswers(out), nil
}

// withAnswers leaves out traces without an answer, unless none has one, and says which.
func withAnswers(all []*draft) []*draft {
	var out []*draft
	var without []string
	for _, d := range all {
		if d.length == 0 {
			without = append(without, clipped(cmp.Or(d.head.TraceID, d.path), 40))
			continue
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return all
	}
	if n := len(without); n > 0 {
		if n > maxUnread {
			without = append(without[:maxUnread], "…")
		}
		out[0].skip(out[0].path, words.Msg("warning_traces_unanswered", "N", n, "Names", words.ListOf(without)))
	}
	return out
}

// deepTraces is how deeply spans may be nested within others.
const deepTraces = 24

// collect reads an object of the file: a span, or what holds spans. trace is the id of the trace around it.
func (t *traceReader) collect(path string, m attributes, trace string, depth int) {
	if depth > deepTraces {
		return
	}
	whole := objectOf(m["trace"])
	if whole != nil && begins(m["observations"]) == '[' { // a download from Langfuse's page
		trace = whole.text("id")
		t.whole(joined(path, "trace"), whole)
		t.scored(trace, m["scores"])
	} else if info := objectOf(m["info"]); info != nil { // MLflow
		trace = info.text("trace_id", "request_id")
	} else if begins(m["observations"]) == '[' || ofLangfuse(m) { // its API, and the download of its page of traces
		trace = m.text("id")
		t.whole(path, m)
	} else if s, id := spanIn(path, m); s != nil {
		trace = cmp.Or(trace, id)
		t.traces[trace] = append(t.traces[trace], *s)
	} else if id := m.text(spanTraces...); id != "" { // a trace of Jaeger's
		trace = id
	}
	for _, key := range spanLists {
		here := joined(path, key)
		if inner := objectOf(m[key]); inner != nil {
			t.collect(here, inner, trace, depth+1)
		}
		for i, item := range listOf(m[key]) {
			if inner := objectOf(item); inner != nil {
				t.collect(at(here, i, ""), inner, trace, depth+1)
			}
		}
	}
}

// ofLangfuse reports whether an object is a trace of Langfuse's, whose spans are not in the file.
func ofLangfuse(m attributes) bool {
	return m.text("id") != "" && m.text("timestamp") != "" && m.first("input", "output") != nil &&
		m.first(spanTraces...) == nil && m.first(spanStarts...) == nil
}

// whole takes what Langfuse says of a trace as a whole as its root.
func (t *traceReader) whole(path string, m attributes) {
	s := span{path: path, name: m.text("name"), root: true, attrs: attributes{}}
	s.fields(path, m)
	id := m.text("id")
	t.traces[id] = append(t.traces[id], s)
	t.scored(id, m["scores"])
}

// scored takes Langfuse's scores.
func (t *traceReader) scored(trace string, raw json.RawMessage) {
	for _, item := range listOf(raw) {
		x := objectOf(item)
		if len(x) == 0 {
			continue // it says nothing
		}
		t.scores[trace] = append(t.scores[trace], upstreamScore{Name: clipped(x.text("name"), 200), Value: short(x["value"]),
			Label: clipped(x.text("stringValue"), 200), Note: clipped(x.text("comment"), 2000)})
	}
}

// spanIn returns the span that an object is, and the id of its trace; nil if it is none.
func spanIn(path string, m attributes) (*span, string) {
	if of := objectOf(m["record"]); of != nil && begins(m["record_attributes"]) == '{' { // of TruLens
		m["name"], m["attributes"], m["context"] = of["name"], m["record_attributes"], m["trace"]
		m["parent_id"], m["start_time"] = of["parent_span_id"], m["start_timestamp"]
	}
	if context := objectOf(m["context"]); context != nil {
		for _, key := range []string{"span_id", "trace_id"} {
			m["context."+key] = context[key]
		}
	}
	id := m.text(spanIDs...)
	says := m.first("name", "operationName", "attributes", "tags", "input", "inputs", "output", "outputs")
	if id == "" || begins(says) == 0 {
		return nil, ""
	}
	s := &span{path: path, id: id, parent: m.text(spanParents...), name: m.text("name", "operationName"),
		start: sortable(m.text(spanStarts...))}
	for _, item := range listOf(m["references"]) { // of Jaeger
		if ref := objectOf(item); ref.text("refType") == "CHILD_OF" && s.parent == "" {
			s.parent = ref.text("spanID")
		}
	}
	s.root = s.parent == ""
	raw := m.first("attributes")
	if raw == nil && begins(m["tags"]) == '[' {
		raw = m["tags"]
	}
	s.attrs = plainAttributes(raw)
	for _, key := range slices.Sorted(maps.Keys(m)) { // a column of a DataFrame
		if name, ok := strings.CutPrefix(key, "attributes."); ok && begins(m[key]) != 0 {
			flatten(s.attrs, "", attributes{name: m[key]})
		}
	}
	s.fields(path, m)
	for i, item := range listOf(m["events"]) {
		e := objectOf(item)
		s.events = append(s.events, event{path: at(joined(path, "events"), i, ""), name: e.text("name"),
			attrs: plainAttributes(e["attributes"])})
	}
	s.translate()
	return s, m.text(spanTraces...)
}

// fields takes what stands beside the attributes.
func (s *span) fields(path string, m attributes) {
	if key, raw := m.named(spanTypes...); raw != nil && begins(s.attrs["openinference.span.kind"]) == 0 {
		s.state("openinference.span.kind", joined(path, key), raw)
	}
	for _, f := range spanFields {
		if key, raw := m.named(f.names...); raw != nil && begins(s.attrs[f.key]) == 0 {
			s.state(f.key, joined(path, key), raw)
		}
	}
	if extra := objectOf(objectOf(m["extra"])["metadata"]); extra != nil { // of LangSmith
		s.state("llm.model_name", joined(path, "extra.metadata.ls_model_name"), extra["ls_model_name"])
	}
}

// plainAttributes is attributesOf for values that are written as they are, {"key", "value"} or an object.
func plainAttributes(raw json.RawMessage) attributes {
	out := attributes{}
	if m := objectOf(unpacked(raw)); m != nil {
		flatten(out, "", m)
	}
	for _, item := range listOf(raw) {
		pair := objectOf(item)
		var v otlpValue
		if begins(pair["value"]) == '{' && sub("", pair["value"], &v) == nil {
			out[pair.text("key")] = v.plain()
		} else if begins(pair["value"]) != 0 {
			out[pair.text("key")] = pair["value"]
		}
	}
	return out
}

// rooted makes the spans roots whose parents are not in the file, if there is no other.
func rooted(list []span) {
	known := map[string]bool{}
	for i := range list {
		if list[i].root {
			return
		}
		known[list[i].id] = true
	}
	for i := range list {
		list[i].root = !known[list[i].parent]
	}
}

// timeLayouts are those of tracers; Python leaves out the zone, pandas writes a space.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999"}

// sortable returns a time as digits of one length, so that times of one file compare as texts.
func sortable(written string) string {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, written); err == nil {
			return padded(t.UTC().Format("20060102150405.000000000"))
		}
	}
	return padded(written)
}

func padded(digits string) string { return strings.Repeat("0", max(0, 24-len(digits))) + digits }
