package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/recode"
)

// attributes are raw JSON values by key.
type attributes map[string]json.RawMessage

func (a attributes) text(keys ...string) string {
	for _, key := range keys {
		if raw := a[key]; begins(raw) != 0 {
			return plainJSONText(raw)
		}
	}
	return ""
}

// first returns the value of the first of these keys that has one, nil if none has.
func (a attributes) first(keys ...string) json.RawMessage {
	_, raw := a.named(keys...)
	return raw
}

// named is first with the key.
func (a attributes) named(keys ...string) (key string, raw json.RawMessage) {
	for _, key := range keys {
		if raw := a[key]; begins(raw) != 0 {
			return key, raw
		}
	}
	return "", nil
}

// otlpValue is an attribute's value in the envelope.
type otlpValue struct {
	String json.RawMessage `json:"stringValue"` // raw, so that it shares the memory of the file
	Bool   json.RawMessage `json:"boolValue"`
	Int    json.RawMessage `json:"intValue"`
	Double json.RawMessage `json:"doubleValue"`
	Array  *otlpValues     `json:"arrayValue"`
	Map    *otlpPairs      `json:"kvlistValue"`

	StringSn json.RawMessage `json:"string_value"` // as Python's MessageToDict writes them
	BoolSn   json.RawMessage `json:"bool_value"`
	IntSn    json.RawMessage `json:"int_value"`
	DoubleSn json.RawMessage `json:"double_value"`
	ArraySn  *otlpValues     `json:"array_value"`
	MapSn    *otlpPairs      `json:"kvlist_value"`
}

type otlpValues struct {
	Values []otlpValue `json:"values"`
}

type otlpPairs struct {
	Values []otlpPair `json:"values"`
}

type otlpPair struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

// plain returns the value as JSON without the envelope.
func (v *otlpValue) plain() json.RawMessage {
	if said := either(v.String, v.StringSn); said != nil {
		return said
	}
	if list := cmp.Or(v.Array, v.ArraySn); list != nil {
		out := make([]json.RawMessage, len(list.Values))
		for i := range list.Values {
			out[i] = list.Values[i].plain()
		}
		return recode.Encode(out)
	}
	if pairs := cmp.Or(v.Map, v.MapSn); pairs != nil {
		out := map[string]json.RawMessage{}
		for i := range pairs.Values {
			out[pairs.Values[i].Key] = pairs.Values[i].Value.plain()
		}
		return recode.Encode(out)
	}
	for _, raw := range []json.RawMessage{v.Bool, v.Int, v.Double, v.BoolSn, v.IntSn, v.DoubleSn} {
		if begins(raw) != 0 {
			return raw
		}
	}
	return json.RawMessage("null")
}

// noText returns what stands where a text should, in a value or within it; nil if nothing does.
func (v *otlpValue) noText() json.RawMessage {
	if raw := either(v.String, v.StringSn); raw != nil {
		if begins(raw) != '"' {
			return raw
		}
		return nil
	}
	if list := cmp.Or(v.Array, v.ArraySn); list != nil {
		for i := range list.Values {
			if raw := list.Values[i].noText(); raw != nil {
				return raw
			}
		}
	}
	if pairs := cmp.Or(v.Map, v.MapSn); pairs != nil {
		for i := range pairs.Values {
			if raw := pairs.Values[i].Value.noText(); raw != nil {
				return raw
			}
		}
	}
	return nil
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
			if raw := list[i].Value.noText(); raw != nil {
				return nil, sub(at(path, i, "value"), recode.Encode(map[string]any{"stringValue": raw}), &struct {
					Said string `json:"stringValue"`
				}{})
			}
			out[list[i].Key] = list[i].Value.plain()
		}
	}
	return out, nil
}

// flatten writes nested objects and lists of objects with dotted keys, as the conventions do. Where an a has a b and
// there is also a key a.b, the latter counts.
func flatten(out attributes, prefix string, in map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		key, raw := prefix+name, in[name]
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

// plainJSONText returns a text without its quotes, and any other value as JSON.
func plainJSONText(raw json.RawMessage) string {
	var s string
	switch begins(raw) {
	case 0:
		return ""
	case '"':
		_ = sub("", raw, &s) // parsed before
		return s
	}
	return string(raw)
}
