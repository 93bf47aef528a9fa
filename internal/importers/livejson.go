package importers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/recode"
	"sanad/internal/strictjson"
)

// liveFile is a request in OTLP/JSON. Its spans are found first and read one by one, so that one that cannot be read is
// refused alone.
type liveFile struct {
	Resources []struct {
		Resource map[string]strictjson.Unread `json:"resource"`
		Schema   strictjson.Unread            `json:"schemaUrl"`
		Scopes   []struct {
			Scope  strictjson.Unread   `json:"scope"`
			Schema strictjson.Unread   `json:"schemaUrl"`
			Spans  []strictjson.Unread `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

// ReadLiveJSON reads a request in OTLP/JSON. Members that are not known are ignored, as the protocol asks. An error is
// about the request as a whole.
func ReadLiveJSON(data []byte) (*LiveSpans, error) {
	if !utf8.Valid(data) {
		return nil, domain.Refuse(domain.Invalid, "", "refused_body_utf8")
	}
	src := string(data)
	var in liveFile
	if err := (row{src: src}).into(&in); err != nil {
		return nil, err
	}
	out, n := &LiveSpans{}, 0
	for _, r := range in.Resources {
		for _, s := range r.Scopes {
			n += len(s.Spans)
		}
	}
	if err := checkSpans(n); err != nil {
		return nil, err
	}
	for i, r := range in.Resources {
		service, err := serviceOf(at("resourceSpans", i, "resource.attributes"), r.Resource["attributes"].In(src))
		if err != nil {
			return nil, err
		}
		for j, s := range r.Scopes {
			for k, place := range s.Spans {
				out.takeJSON(at("resourceSpans", i, at("scopeSpans", j, at("spans", k, ""))), service, src, place)
			}
		}
	}
	return out, nil
}

// serviceOf returns the name of the service in the attributes of a resource. No other of them is kept, so one that
// cannot be read is passed over, as in protobuf.
func serviceOf(path, attributes string) (name string, err error) {
	if attributes == "" {
		return "", nil
	}
	var list []strictjson.Unread
	if err := under(path, decode(attributes, &list, loose)); err != nil {
		return "", err
	}
	for _, place := range list {
		var a otlpPair
		written := place.In(attributes)
		if depth(written) <= deepest && decode(written, &a, loose) == nil && a.Key == serviceName {
			name = plainJSONText(a.Value.plain())
		}
	}
	return name, nil
}

// deepest is how many levels a span in OTLP/JSON may have: a value within a value takes three or four, and what holds
// the first value four.
const deepest = 4*live.MaxDepth + 4

// takeJSON keeps the span at a place of src unless something is wrong with it.
func (l *LiveSpans) takeJSON(path, service, src string, place strictjson.Unread) {
	written := place.In(src)
	var members map[string]strictjson.Unread
	_ = decode(written, &members, loose) // what stands before a fault counts
	member := func(name string) json.RawMessage { return json.RawMessage(members[name].In(written)) }
	text := func(name string) (s string) {
		_ = sub("", member(name), &s)
		return s
	}
	end, _ := rowID(member("endTimeUnixNano"))
	named := &wireSpan{TraceID: strings.ToLower(text("traceId")), SpanID: strings.ToLower(text("spanId")),
		Parent: strings.ToLower(text("parentSpanId")), Name: text("name"), End: end}
	if depth(written) > deepest {
		l.refuse(live.BadContent, path, named)
		return
	}
	raw, err := strictjson.NewLooseCursor(written, 0).Raw()
	// only the first one's place is told, and to find it takes a reading of src
	if err != nil && l.Refused.N(live.BadContent) == 0 {
		_, err = strictjson.NewLooseCursor(src, place.From).Raw()
	}
	if err == nil && (len(raw) > live.MaxSpan || tooMany(raw)) { // before it takes memory
		l.refuse(live.TooLarge, path, named)
		return
	}
	err = under(path, domainFault(err))
	var x otlpSpan
	if err == nil {
		err = checkTimes(path, member, "endTimeUnixNano", "startTimeUnixNano")
	}
	if err == nil {
		err = sub(path, raw, &x)
	}
	for i := 0; err == nil && i < len(x.Events); i++ {
		err = checkTime(at(path+".events", i, "timeUnixNano"), x.Events[i].Time)
	}
	if err == nil {
		err = moved(gather(map[string][]span{}, path, []otlpSpan{x}), func(at string) string {
			return strings.Replace(at, path+"[0]", path, 1) // a list of this one span was gathered
		})
	}
	if err != nil {
		l.refuse(live.BadContent, placeOf(path, err), named)
		return
	}
	l.take(path, service, named, named.written(raw, &x))
}

// tooMany reports whether a span has more values than one may have.
func tooMany(raw []byte) bool {
	_, err := io.Copy(io.Discard, strictjson.NewCounter(bytes.NewReader(raw), live.MaxSpanValues))
	return err != nil
}

// checkTimes refuses times of a span that are no numbers: its trace is put in order by them.
func checkTimes(path string, member func(string) json.RawMessage, names ...string) error {
	for _, name := range names {
		if err := checkTime(joined(path, name), member(name)); err != nil {
			return err
		}
	}
	return nil
}

// checkTime refuses a time that is there and is no number.
func checkTime(path string, raw json.RawMessage) error {
	nanos, ok := rowID(raw)
	if _, err := strconv.ParseUint(nanos, 10, 64); begins(raw) != 0 && (!ok || err != nil) {
		return domain.Refuse(domain.Invalid, path, "refused_nanoseconds")
	}
	return nil
}

// placeOf returns where in the request a fault is, and what is wrong there, as a sender is told.
func placeOf(path string, err error) string {
	var fault *domain.Error
	if !errors.As(err, &fault) {
		return path
	}
	return cmp.Or(fault.Path, path) + ": " + strings.TrimSuffix(fault.Text(), ".")
}

// written returns a span with its ids as this program writes them, by which the spans of a trace are put together.
func (w *wireSpan) written(raw json.RawMessage, x *otlpSpan) json.RawMessage {
	if x.Trace+x.Span+x.ParentID == "" && x.TraceID == w.TraceID && x.SpanID == w.SpanID && x.Parent == w.Parent {
		return raw
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &members) != nil {
		return raw
	}
	for _, other := range []string{"trace_id", "span_id", "parent_id"} {
		delete(members, other)
	}
	members["traceId"], members["spanId"] = recode.Encode(w.TraceID), recode.Encode(w.SpanID)
	members["parentSpanId"] = recode.Encode(w.Parent)
	return recode.Encode(members)
}

// depth returns how deeply the values of valid JSON are nested.
func depth(raw string) (most int) {
	now, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}
