package importers

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/live"
	"sanad/internal/recode"
	"sanad/internal/words"
)

// Traces as they happen: the request of OTLP (opentelemetry-proto collector/trace/v1) in both of its encodings. Each
// span is kept as OTLP/JSON, so that traces of files and live ones are read by the same code (otlp.go).

// LiveSpans is what a request of OTLP holds.
type LiveSpans struct {
	Spans   []live.Span
	Refused live.Refused
	Lost    map[string]live.Losses // of these, those whose trace is known, by its id
}

// refuse counts a span that is not taken; its trace is told of it if its ids are valid.
func (l *LiveSpans) refuse(c live.Cause, path string, w *wireSpan) {
	l.Refused.Add(c, path)
	if !isHexID(w.TraceID, 16) || !isHexID(w.SpanID, 8) {
		return
	}
	if l.Lost == nil {
		l.Lost = map[string]live.Losses{}
	}
	l.Lost[w.TraceID] = l.Lost[w.TraceID].Add(c, w.SpanID)
}

// ReadLiveProto reads a request in protobuf. An error is about the request as a whole.
func ReadLiveProto(data []byte) (*LiveSpans, error) {
	var in protoRequest
	if err := fields(data, in.resource); err != nil {
		return nil, err
	}
	if err := checkSpans(in.n); err != nil {
		return nil, err
	}
	out := &LiveSpans{}
	for _, s := range in.spans {
		var x trace.Span
		path := at("resourceSpans", s.resource, at("scopeSpans", s.scope, at("spans", s.index, "")))
		n, err := countFields(s.body, x.ProtoReflect().Descriptor(), live.MaxSpanValues)
		if err == nil && n > live.MaxSpanValues { // what cannot be read is refused as such below
			out.refuse(live.TooLarge, path, namedProto(s.body))
			continue
		}
		if boundedProto.Unmarshal(s.body, &x) != nil {
			out.refuse(live.BadContent, path, namedProto(s.body))
			continue
		}
		out.takeProto(path, in.services[s.resource], &x)
	}
	return out, nil
}

// boundedProto reads what is nested as deeply as is taken: a value within a value takes two or three levels of
// messages.
var boundedProto = proto.UnmarshalOptions{RecursionLimit: 4 * (live.MaxDepth + 8), DiscardUnknown: true}

// protoRequest is an ExportTraceServiceRequest whose spans are not read yet, so that one that cannot be read is refused
// alone.
type protoRequest struct {
	resources int
	services  map[int]string // by the index of their resource
	spans     []protoSpan    // at most live.MaxSpans
	n         int            // how many spans there are
}

// protoSpan is a span in protobuf with its place.
type protoSpan struct {
	resource, scope, index int
	body                   []byte
}

// resource takes a field of the request.
func (r *protoRequest) resource(field protowire.Number, body []byte) error {
	if field != 1 {
		return nil
	}
	scopes := 0
	err := fields(body, func(field protowire.Number, body []byte) error {
		switch field {
		case 1:
			return fields(body, r.attribute)
		case 2:
			scopes++
			return r.scope(scopes-1, body)
		}
		return nil
	})
	r.resources++
	return err
}

// attribute takes a field of a resource; of its attributes, the name of the service is all that is kept.
func (r *protoRequest) attribute(field protowire.Number, body []byte) error {
	var a common.KeyValue
	if field == 1 && boundedProto.Unmarshal(body, &a) == nil && a.GetKey() == serviceName {
		if r.services == nil {
			r.services = map[int]string{}
		}
		r.services[r.resources] = a.GetValue().GetStringValue()
	}
	return nil
}

// scope takes the spans of a scope.
func (r *protoRequest) scope(scope int, body []byte) error {
	index := 0
	return fields(body, func(field protowire.Number, body []byte) error {
		if field != 2 {
			return nil
		}
		if r.n++; r.n <= live.MaxSpans {
			r.spans = append(r.spans, protoSpan{resource: r.resources, scope: scope, index: index, body: body})
		}
		index++
		return nil
	})
}

// namedProto returns the ids of a span that cannot be read.
func namedProto(body []byte) *wireSpan {
	w := &wireSpan{}
	_ = fields(body, func(field protowire.Number, id []byte) error { // what stands before a fault counts
		switch field {
		case 1:
			w.TraceID = hex.EncodeToString(id)
		case 2:
			w.SpanID = hex.EncodeToString(id)
		}
		return nil
	})
	return w
}

// fields calls visit for each field of a message that is itself a message, a text or bytes.
func fields(data []byte, visit func(field protowire.Number, body []byte) error) error {
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return notProto(n)
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(field, kind, data); n < 0 {
			return notProto(n)
		}
		if kind == protowire.BytesType {
			body, _ := protowire.ConsumeBytes(data)
			if err := visit(field, body); err != nil {
				return err
			}
		}
		data = data[n:]
	}
	return nil
}

func notProto(n int) error {
	return &domain.Error{Kind: domain.Invalid, Err: protowire.ParseError(n),
		Message: words.Msg("refused_body_protobuf")}
}

// serviceName is the attribute of a resource that names a service.
const serviceName = "service.name"

func checkSpans(n int) error {
	if n > live.MaxSpans {
		return domain.Refuse(domain.TooLarge, "", "refused_spans_many", "N", n, "Most", live.MaxSpans)
	}
	return nil
}

func (l *LiveSpans) takeProto(path, service string, x *trace.Span) {
	w := wireSpan{TraceID: hex.EncodeToString(x.GetTraceId()), SpanID: hex.EncodeToString(x.GetSpanId()),
		Parent: hex.EncodeToString(x.GetParentSpanId()), Name: x.GetName(), Kind: int(x.GetKind()),
		Start: strconv.FormatUint(x.GetStartTimeUnixNano(), 10), End: strconv.FormatUint(x.GetEndTimeUnixNano(), 10)}
	var ok, all bool
	w.Attributes, all = pairs(x.GetAttributes(), 0)
	for _, e := range x.GetEvents() {
		v := wireEvent{Name: e.GetName(), Time: strconv.FormatUint(e.GetTimeUnixNano(), 10)}
		v.Attributes, ok = pairs(e.GetAttributes(), 0)
		all = all && ok
		w.Events = append(w.Events, v)
	}
	if s := x.GetStatus(); s.GetCode() != 0 || s.GetMessage() != "" {
		w.Status = &wireStatus{Code: int(s.GetCode()), Message: s.GetMessage()}
	}
	if !all {
		l.refuse(live.BadContent, path, &w)
		return
	}
	l.take(path, service, &w, recode.Encode(w))
}

// wireSpan is a span in OTLP/JSON as it is kept. What no session is made of, such as links, is left out.
type wireSpan struct {
	TraceID    string      `json:"traceId"`
	SpanID     string      `json:"spanId"`
	Parent     string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind,omitempty"`
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []wirePair  `json:"attributes,omitempty"`
	Events     []wireEvent `json:"events,omitempty"`
	Status     *wireStatus `json:"status,omitempty"`
}

type wireEvent struct {
	Name       string     `json:"name"`
	Time       string     `json:"timeUnixNano,omitempty"`
	Attributes []wirePair `json:"attributes,omitempty"`
}

type wireStatus struct {
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

type wirePair struct {
	Key   string    `json:"key"`
	Value wireValue `json:"value"`
}

type wireValue struct {
	String *string   `json:"stringValue,omitempty"`
	Bool   *bool     `json:"boolValue,omitempty"`
	Int    string    `json:"intValue,omitempty"`
	Double any       `json:"doubleValue,omitempty"`
	Bytes  *string   `json:"bytesValue,omitempty"`
	Array  *wireList `json:"arrayValue,omitempty"`
	Map    *wireMap  `json:"kvlistValue,omitempty"`
}

type wireList struct {
	Values []wireValue `json:"values"`
}

type wireMap struct {
	Values []wirePair `json:"values"`
}

// pairs writes attributes as OTLP/JSON; ok is false if they are nested too deeply.
func pairs(list []*common.KeyValue, depth int) (out []wirePair, ok bool) {
	for _, a := range list {
		v, ok := valueOf(a.GetValue(), depth+1)
		if !ok {
			return nil, false
		}
		out = append(out, wirePair{Key: a.GetKey(), Value: v})
	}
	return out, true
}

func valueOf(v *common.AnyValue, depth int) (out wireValue, ok bool) {
	if depth > live.MaxDepth {
		return out, false
	}
	switch x := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		out.String = &x.StringValue
	case *common.AnyValue_BoolValue:
		out.Bool = &x.BoolValue
	case *common.AnyValue_IntValue:
		out.Int = strconv.FormatInt(x.IntValue, 10)
	case *common.AnyValue_DoubleValue:
		out.Double = doubleOf(x.DoubleValue)
	case *common.AnyValue_BytesValue:
		s := base64.StdEncoding.EncodeToString(x.BytesValue)
		out.Bytes = &s
	case *common.AnyValue_ArrayValue:
		out.Array = &wireList{Values: []wireValue{}}
		for _, y := range x.ArrayValue.GetValues() {
			one, ok := valueOf(y, depth+1)
			if !ok {
				return out, false
			}
			out.Array.Values = append(out.Array.Values, one)
		}
	case *common.AnyValue_KvlistValue:
		list, ok := pairs(x.KvlistValue.GetValues(), depth)
		if !ok {
			return out, false
		}
		out.Map = &wireMap{Values: append([]wirePair{}, list...)}
	}
	return out, true
}

// doubleOf returns a number as protobuf writes it in JSON.
func doubleOf(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return f
}

// take keeps a span unless something is wrong with it.
func (l *LiveSpans) take(path, service string, w *wireSpan, body json.RawMessage) {
	switch {
	case !isHexID(w.TraceID, 16) || !isHexID(w.SpanID, 8):
		l.refuse(live.BadID, path, w)
	case len(body) > live.MaxSpan:
		l.refuse(live.TooLarge, path, w)
	default:
		l.Spans = append(l.Spans, live.Span{TraceID: w.TraceID, SpanID: w.SpanID, Service: shownName(service),
			Name: shownName(w.Name), Root: strings.Trim(w.Parent, "0") == "" && strings.Trim(w.End, "0") != "",
			Body: string(body)})
	}
}

// isHexID reports whether an id has n bytes in hex digits of lower case, of which one is not zero.
func isHexID(id string, n int) bool {
	raw, err := hex.DecodeString(id)
	return err == nil && len(raw) == n && strings.Trim(id, "0") != ""
}

// shownName returns a name as a list shows it: without control characters, at most 200 code points.
func shownName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) > live.MaxService {
		s = string([]rune(s)[:live.MaxService])
	}
	return s
}

// LiveTrace is a complete trace, made of the spans that were kept.
type LiveTrace struct {
	Facts  live.Facts
	Unread domain.Message // where an answer may stand that could not be read, zero if nowhere
	file   string
	spans  []span
	draft  *draft
}

// ReadLiveTrace puts the spans of one trace together.
func ReadLiveTrace(id string, kept []live.Span) (*LiveTrace, error) {
	var b strings.Builder
	b.WriteString(`{"resourceSpans":[{"scopeSpans":[{"spans":[`)
	services := map[string]bool{}
	for i := range kept {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(kept[i].Body)
		services[kept[i].Service] = true
	}
	b.WriteString("]}]}]}")
	t := &LiveTrace{Facts: live.Facts{TraceID: id}, file: b.String()}
	for i := range kept {
		if services[kept[i].Service] {
			t.Facts.Services = append(t.Facts.Services, kept[i].Service)
			services[kept[i].Service] = false
		}
	}
	traces, err := spansByTrace([]row{{src: t.file}})
	if err != nil {
		return nil, err
	}
	if len(traces) != 1 {
		return nil, fmt.Errorf("the kept spans are of %d traces", len(traces))
	}
	for key := range traces {
		t.spans = traces[key]
		t.draft = traceDraft(key, t.spans)
	}
	for i := range t.spans {
		t.Facts.Retrieval = t.Facts.Retrieval || t.spans[i].retrieves()
	}
	t.Facts.Answered, t.Unread = t.draft.length > 0, t.draft.unread
	return t, nil
}

// Session reads the trace as a file of its spans is read. lost are spans that the file lacks; the session says so.
func (t *LiveTrace) Session(opt Options, lost live.Losses) (*Result, error) {
	for _, x := range lost {
		opt.refused = append(opt.refused, ledger.RefusedSpans{Cause: string(x.Cause), N: x.N, Spans: x.Named()})
	}
	return Read([]byte(t.file), opt)
}
