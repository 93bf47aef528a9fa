package importers

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The OTLP/JSON envelope that traces come in, resourceSpans[].scopeSpans[].spans[] (opentelemetry-proto
// examples/trace.json), and a flat list of spans with attributes as an object. What the spans say is read by
// spans.go; each trace is a session.

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
	Parent     string          `json:"parentSpanId"`
	ParentID   string          `json:"parent_id"`
	Name       string          `json:"name"`
	Start      json.RawMessage `json:"startTimeUnixNano"`
	Attributes json.RawMessage `json:"attributes"`
	Events     []struct {
		Name       string          `json:"name"`
		Attributes json.RawMessage `json:"attributes"`
	} `json:"events"`
}

// span is a span with its attributes as plain JSON.
type span struct {
	path   string
	root   bool
	start  string // nanoseconds, of one length
	attrs  attributes
	events []event
}

type event struct {
	path  string
	name  string
	attrs attributes
}

// attributes are values by key; a text stands as JSON does.
type attributes map[string]json.RawMessage

func (a attributes) text(keys ...string) string {
	for _, key := range keys {
		if raw := a[key]; begins(raw) != 0 {
			return plainJSONText(raw)
		}
	}
	return ""
}

// otlpValue is an attribute's value in the envelope.
type otlpValue struct {
	String *string         `json:"stringValue"`
	Bool   json.RawMessage `json:"boolValue"`
	Int    json.RawMessage `json:"intValue"`
	Double json.RawMessage `json:"doubleValue"`
	Array  *struct {
		Values []otlpValue `json:"values"`
	} `json:"arrayValue"`
	Map *struct {
		Values []otlpPair `json:"values"`
	} `json:"kvlistValue"`
}

type otlpPair struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

// plain is the value as JSON without the envelope.
func (v *otlpValue) plain() json.RawMessage {
	switch {
	case v.String != nil:
		return mustJSON(*v.String)
	case v.Array != nil:
		out := make([]json.RawMessage, len(v.Array.Values))
		for i := range v.Array.Values {
			out[i] = v.Array.Values[i].plain()
		}
		return mustJSON(out)
	case v.Map != nil:
		out := map[string]json.RawMessage{}
		for i := range v.Map.Values {
			out[v.Map.Values[i].Key] = v.Map.Values[i].Value.plain()
		}
		return mustJSON(out)
	}
	for _, raw := range []json.RawMessage{v.Bool, v.Int, v.Double} {
		if len(raw) > 0 {
			return raw
		}
	}
	return json.RawMessage("null")
}

// mustJSON writes what came out of JSON.
func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// attributesOf reads attributes as a list of pairs or as an object.
func attributesOf(path string, raw json.RawMessage) (attributes, error) {
	out := attributes{}
	switch begins(raw) {
	case 0:
	case '{':
		flat := map[string]json.RawMessage{}
		if err := sub(path, raw, &flat); err != nil {
			return nil, err
		}
		flatten(out, "", flat)
	default:
		var list []otlpPair
		if err := sub(path, raw, &list); err != nil {
			return nil, err
		}
		for i := range list {
			out[list[i].Key] = list[i].Value.plain()
		}
	}
	return out, nil
}

// flatten writes nested objects and lists of objects with dotted keys, as the conventions have them.
func flatten(out attributes, prefix string, in map[string]json.RawMessage) {
	for key, raw := range in {
		key = prefix + key
		out[key] = raw
		var deep map[string]json.RawMessage
		var list []map[string]json.RawMessage
		switch {
		case strings.Count(key, ".") > 8:
		case begins(raw) == '{' && sub("", raw, &deep) == nil:
			flatten(out, key+".", deep)
		case begins(raw) == '[' && sub("", raw, &list) == nil:
			for i, x := range list {
				flatten(out, key+"."+strconv.Itoa(i)+".", x)
			}
		}
	}
}

// readOTLP reads every trace of the file.
func readOTLP(rows []row) ([]*draft, error) {
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
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(traces)) {
		list := traces[id]
		slices.SortStableFunc(list, func(a, b span) int { return strings.Compare(a.start, b.start) })
		out = append(out, traceDraft(id, list))
	}
	if len(out) > 1 { // traces in which no model answered are no sessions
		if answered := slices.DeleteFunc(slices.Clone(out), func(d *draft) bool { return blank(d.head.Answer) }); len(answered) > 0 {
			out = answered
		}
	}
	return out, nil
}

func gather(traces map[string][]span, path string, list []otlpSpan) error {
	for i := range list {
		x, here := &list[i], at(path, i, "")
		attrs, err := attributesOf(here+".attributes", x.Attributes)
		if err != nil {
			return err
		}
		start, _ := rowID(x.Start)
		s := span{path: here, root: x.Parent+x.ParentID == "", attrs: attrs}
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
