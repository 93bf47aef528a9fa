package importers

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// The OTLP/JSON envelope of traces, resourceSpans[].scopeSpans[].spans[] (opentelemetry-proto examples/trace.json), and
// a flat list of spans with attributes as an object. spans.go reads the spans; each trace is a session.

type otlpFile struct {
	Resources []struct {
		Scopes []struct {
			Spans []otlpSpan `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
	Spans []otlpSpan `json:"spans"`
}

type otlpSpan struct {
	TraceID    string          `json:"traceId"`
	Trace      string          `json:"trace_id"`
	SpanID     string          `json:"spanId"`
	Span       string          `json:"span_id"`
	Parent     string          `json:"parentSpanId"`
	ParentID   string          `json:"parent_id"`
	Name       string          `json:"name"`
	Start      json.RawMessage `json:"startTimeUnixNano"`
	End        json.RawMessage `json:"endTimeUnixNano"`
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
	if len(out) > 1 { // traces without a model's answer are not sessions
		if answered := slices.DeleteFunc(slices.Clone(out),
			func(d *draft) bool { return d.length == 0 }); len(answered) > 0 {
			out = answered
		}
	}
	return out, nil
}

// spansByTrace reads the spans of a file by the id of their trace, each in chronological order.
func spansByTrace(rows []row) (map[string][]span, error) {
	traces := map[string][]span{}
	for _, r := range rows {
		var f otlpFile
		if err := r.into(&f); err != nil {
			return nil, err
		}
		for i := range f.Resources {
			for j := range f.Resources[i].Scopes {
				path := joined(r.path, at("resourceSpans", i, at("scopeSpans", j, "spans")))
				if err := gather(traces, path, f.Resources[i].Scopes[j].Spans); err != nil {
					return nil, err
				}
			}
		}
		if err := gather(traces, joined(r.path, "spans"), f.Spans); err != nil {
			return nil, err
		}
	}
	for _, list := range traces {
		slices.SortStableFunc(list, func(a, b span) int { return strings.Compare(a.start, b.start) })
	}
	return traces, nil
}

func gather(traces map[string][]span, path string, list []otlpSpan) error {
	for i := range list {
		x, here := &list[i], at(path, i, "")
		attrs, err := attributesOf(here+".attributes", x.Attributes)
		if err != nil {
			return err
		}
		start, _ := rowID(x.Start)
		end, _ := rowID(x.End)
		s := span{path: here, id: x.SpanID + x.Span, parent: x.Parent + x.ParentID, name: x.Name,
			root: x.Parent+x.ParentID == "", end: end, attrs: attrs}
		s.start = strings.Repeat("0", max(0, 20-len(start))) + start
		for j := range x.Events {
			place := at(here+".events", j, "")
			a, err := attributesOf(place+".attributes", x.Events[j].Attributes)
			if err != nil {
				return err
			}
			s.events = append(s.events, event{place, x.Events[j].Name, a})
		}
		id := x.TraceID + x.Trace
		traces[id] = append(traces[id], s)
	}
	return nil
}
