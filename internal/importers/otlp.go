package importers

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// The OTLP/JSON envelope of traces, resourceSpans[].scopeSpans[].spans[] (opentelemetry-proto examples/trace.json), and
// a flat list of spans with attributes as an object. spans.go reads the spans; each trace is a session.

type otlpFile struct {
	Resources []otlpResource `json:"resourceSpans"`
	Snake     []otlpResource `json:"resource_spans"` // as Python's MessageToDict and Phoenix write it
	Batches   []otlpResource `json:"batches"`        // as Tempo's API does
	Trace     *otlpFile      `json:"trace"`          // likewise, its second version
	Result    *otlpFile      `json:"result"`         // as the third version of Jaeger's API does
	Spans     []otlpSpan     `json:"spans"`
}

type otlpResource struct {
	Scopes    []otlpScope `json:"scopeSpans"`
	Snake     []otlpScope `json:"scope_spans"`
	Libraries []otlpScope `json:"instrumentationLibrarySpans"` // of OTLP before 0.16
}

type otlpScope struct {
	Spans []otlpSpan `json:"spans"`
}

type otlpSpan struct {
	TraceID    string          `json:"traceId"`
	Trace      string          `json:"trace_id"`
	SpanID     string          `json:"spanId"`
	Span       string          `json:"span_id"`
	Parent     string          `json:"parentSpanId"`
	ParentID   string          `json:"parent_id"`
	ParentSn   string          `json:"parent_span_id"`
	Name       string          `json:"name"`
	Start      json.RawMessage `json:"startTimeUnixNano"`
	End        json.RawMessage `json:"endTimeUnixNano"`
	StartSn    json.RawMessage `json:"start_time_unix_nano"`
	EndSn      json.RawMessage `json:"end_time_unix_nano"`
	Attributes json.RawMessage `json:"attributes"`
	Events     []struct {
		Name       string          `json:"name"`
		Time       json.RawMessage `json:"timeUnixNano"`
		Attributes json.RawMessage `json:"attributes"`
	} `json:"events"`
}

// span is a span with its attributes as plain JSON.
type span struct {
	path   string
	id     string // "" if the file does not state it
	parent string // id of the span that it is part of, "" for a root
	name   string
	root   bool
	start  string // nanoseconds, padded to a fixed length
	end    string // nanoseconds, "" if unknown
	attrs  attributes
	places map[string]string // of attributes that stand elsewhere, by their names
	events []event
}

type event struct {
	path  string
	name  string
	attrs attributes
}

// readOTLP reads every trace of the file.
func readOTLP(rows []row) ([]*draft, error) {
	traces, err := spansByTrace(rows)
	if err != nil {
		return nil, err
	}
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(traces)) {
		out = append(out, traceDraft(id, traces[id]))
	}
	return withAnswers(out), nil
}

// spansByTrace reads the spans of a file by the id of their trace, each in chronological order.
func spansByTrace(rows []row) (map[string][]span, error) {
	traces := map[string][]span{}
	for _, r := range rows {
		var f otlpFile
		if err := r.into(&f); err != nil {
			return nil, err
		}
		if err := f.gather(traces, r.path); err != nil {
			return nil, err
		}
	}
	for _, list := range traces {
		slices.SortStableFunc(list, func(a, b span) int { return strings.Compare(a.start, b.start) })
	}
	return traces, nil
}

// gather adds the spans of a file to those of their trace.
func (f *otlpFile) gather(traces map[string][]span, path string) error {
	for _, within := range []struct {
		field string
		file  *otlpFile
	}{{"trace", f.Trace}, {"result", f.Result}} {
		if within.file == nil {
			continue
		}
		if err := within.file.gather(traces, joined(path, within.field)); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		field string
		list  []otlpResource
	}{{"resourceSpans", f.Resources}, {"resource_spans", f.Snake}, {"batches", f.Batches}} {
		for i := range x.list {
			if err := x.list[i].gather(traces, at(joined(path, x.field), i, "")); err != nil {
				return err
			}
		}
	}
	return gather(traces, joined(path, "spans"), f.Spans)
}

func (r *otlpResource) gather(traces map[string][]span, path string) error {
	for _, x := range []struct {
		field string
		list  []otlpScope
	}{{"scopeSpans", r.Scopes}, {"scope_spans", r.Snake}, {"instrumentationLibrarySpans", r.Libraries}} {
		for i := range x.list {
			if err := gather(traces, at(joined(path, x.field), i, "spans"), x.list[i].Spans); err != nil {
				return err
			}
		}
	}
	return nil
}

func gather(traces map[string][]span, path string, list []otlpSpan) error {
	for i := range list {
		x, here := &list[i], at(path, i, "")
		attrs, err := attributesOf(here+".attributes", x.Attributes)
		if err != nil {
			return err
		}
		start, _ := rowID(either(x.Start, x.StartSn))
		end, _ := rowID(either(x.End, x.EndSn))
		parent := cmp.Or(x.Parent, x.ParentID, x.ParentSn)
		s := span{path: here, id: cmp.Or(x.SpanID, x.Span), parent: parent, name: x.Name, root: parent == "", end: end,
			attrs: attrs}
		s.start = strings.Repeat("0", max(0, 20-len(start))) + start
		for j := range x.Events {
			place := at(here+".events", j, "")
			a, err := attributesOf(place+".attributes", x.Events[j].Attributes)
			if err != nil {
				return err
			}
			s.events = append(s.events, event{place, x.Events[j].Name, a})
		}
		s.translate()
		id := hexID(x.TraceID + x.Trace)
		traces[id] = append(traces[id], s)
	}
	return nil
}

// hexID returns a trace's id in hexadecimal: as protobuf's JSON, Tempo's API writes its 16 bytes in base64.
func hexID(id string) string {
	if raw, err := base64.StdEncoding.DecodeString(id); err == nil && len(raw) == 16 && len(id) == 24 {
		return hex.EncodeToString(raw)
	}
	return id
}
