package capsules

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// object is a JSON object of an OpenAPI document.
type object = map[string]any

// TestAPIIsCompatible checks that everything a client could send and read by an older API description
// is still possible.
func TestAPIIsCompatible(t *testing.T) {
	code, out, errs := call(t, "", "openapi")
	require.Zero(t, code, errs)
	var now object
	require.NoError(t, json.Unmarshal([]byte(out), &now))
	found := 0
	for _, l := range levels(t) {
		data, err := os.ReadFile(filepath.Join(l.dir, "openapi.json"))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		var old object
		require.NoError(t, json.Unmarshal(data, &old))
		require.Empty(t, slices.DeleteFunc(broken(old, now), func(s string) bool { return loosened[s] }))
		found++
	}
	require.NotZero(t, found)
}

// loosened are the differences that were made on purpose (CHANGELOG.md): a source of a draft may lack its time until
// the draft is mended (rule P-23), where an answer of an older version always had one.
var loosened = map[string]bool{
	"/api/v1/decisions post body.evidence[].retrieved_at format: <nil> was date-time":    true,
	"/api/v1/decisions/{id} get 200.evidence[].retrieved_at format: <nil> was date-time": true,
}

// TestIncompatibleAPIsAreFound checks that each kind of breaking change is detected.
func TestIncompatibleAPIsAreFound(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "17", "openapi.json"))
	require.NoError(t, err)
	sessions := func(d object) object { return part(d, "paths", "/api/v1/sessions", "get") }
	for name, tt := range map[string]struct {
		change func(object)
		says   string // "" if the change breaks nothing
	}{
		"nothing":          {func(object) {}, ""},
		"a new operation":  {func(d object) { part(d, "paths")["/api/v1/new"] = object{} }, ""},
		"another text":     {func(d object) { sessions(d)["description"] = "Other words." }, ""},
		"a path is gone":   {func(d object) { delete(part(d, "paths"), "/api/v1/sessions") }, "/api/v1/sessions: gone"},
		"a method is gone": {func(d object) { delete(part(d, "paths", "/api/v1/sessions"), "get") }, "get: gone"},
		"a parameter is gone": {func(d object) {
			sessions(d)["parameters"] = sessions(d)["parameters"].([]any)[1:]
		}, "query status: gone"},
		"a parameter is new": {func(d object) {
			sessions(d)["parameters"] = append(sessions(d)["parameters"].([]any), object{"name": "x", "in": "query"})
		}, ""},
		"a needed parameter is new": {func(d object) {
			sessions(d)["parameters"] = append(sessions(d)["parameters"].([]any), object{"name": "x", "in": "query",
				"required": true})
		}, "query x: required now"},
		"a value is gone": {func(d object) {
			s := part(sessions(d)["parameters"].([]any)[0].(object), "schema")
			s["enum"] = s["enum"].([]any)[1:]
		}, "enum: open is gone"},
		"a bound is tighter": {func(d object) {
			for _, p := range sessions(d)["parameters"].([]any) {
				if p.(object)["name"] == "limit" {
					part(p.(object), "schema")["maximum"] = 100.0
				}
			}
		}, "maximum"},
		"a status is gone":          {func(d object) { delete(part(sessions(d), "responses"), "200") }, "200: gone"},
		"a role is higher":          {func(d object) { sessions(d)["x-role"] = "admin" }, "x-role"},
		"a field of answers is new": {func(d object) { schema(d, "SessionRow")["new"] = object{"type": "string"} }, ""},
		"a field of answers is gone": {func(d object) {
			delete(schema(d, "SessionRow"), "title")
		}, "title: gone"},
		"a field of answers has another type": {func(d object) {
			schema(d, "SessionRow")["title"] = object{"type": "integer"}
		}, "type"},
		"a field of answers may be absent": {func(d object) {
			s := part(d, "components", "schemas", "SessionRow")
			s["required"] = slices.DeleteFunc(slices.Clone(s["required"].([]any)),
				func(v any) bool { return v == "title" })
		}, "title: may be absent now"},
		"a field of answers may be null": {func(d object) {
			schema(d, "SessionRow")["title"] = object{"type": []any{"string", "null"}}
		}, "null"},
		"a needed field of a body is new": {func(d object) {
			s := part(d, "components", "schemas", "WebhookInput")
			s["required"] = append(slices.Clone(asList(s["required"])), "secret")
			part(s, "properties")["secret"] = object{"type": "string"}
		}, "secret: required now"},
		"a field of a body is gone": {func(d object) {
			delete(schema(d, "WebhookInput"), "kinds")
		}, "kinds: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			var old, now object
			require.NoError(t, json.Unmarshal(data, &old))
			require.NoError(t, json.Unmarshal(data, &now))
			tt.change(now)
			found := broken(old, now)
			if tt.says == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, strings.Join(found, "\n"), tt.says)
		})
	}
}

// part returns the object at a path of names, nil if none.
func part(o object, names ...string) object {
	for _, name := range names {
		o, _ = o[name].(object)
	}
	return o
}

// schema returns the properties of a schema.
func schema(d object, name string) object {
	return part(d, "components", "schemas", name, "properties")
}

// broken lists what a client of the old API can't do any more with the new one.
func broken(old, now object) []string {
	c := comparison{old: old, now: now, seen: map[string]bool{}}
	for _, path := range keys(part(old, "paths")) {
		was, is := part(old, "paths", path), part(now, "paths", path)
		if is == nil {
			c.say(path, "gone")
			continue
		}
		for _, method := range keys(was) {
			if part(is, method) == nil {
				c.say(path+" "+method, "gone")
				continue
			}
			c.operation(path+" "+method, part(was, method), part(is, method))
		}
	}
	return c.found
}

func keys(o object) []string { return slices.Sorted(maps.Keys(o)) }

// comparison compares two OpenAPI documents.
type comparison struct {
	old, now object
	found    []string
	seen     map[string]bool // pairs of schemas already compared, by name and direction
}

func (c *comparison) say(at, what string) { c.found = append(c.found, at+": "+what) }

// same reports a changed value.
func (c *comparison) same(at string, was, is any) {
	if !reflect.DeepEqual(was, is) {
		c.say(at, fmt.Sprintf("%v was %v", is, was))
	}
}

// resolve resolves a reference.
func resolve(document object, v any) object {
	o, _ := v.(object)
	if ref, ok := o["$ref"].(string); ok {
		return part(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return o
}

func (c *comparison) operation(at string, was, is object) {
	for _, name := range []string{"operationId", "x-role", "security"} {
		c.same(at+" "+name, was[name], is[name])
	}
	c.parameters(at, parametersOf(c.old, was), parametersOf(c.now, is))
	if body := part(is, "requestBody"); body["required"] == true && part(was, "requestBody")["required"] != true {
		c.say(at+" body", "required now")
	}
	if was["requestBody"] != nil {
		c.content(at+" body", part(was, "requestBody"), part(is, "requestBody"), true)
	}
	for _, status := range keys(part(was, "responses")) {
		place := at + " " + status
		then, today := resolve(c.old, part(was, "responses")[status]), resolve(c.now, part(is, "responses")[status])
		if today == nil {
			c.say(place, "gone")
			continue
		}
		for _, header := range keys(part(then, "headers")) {
			if part(today, "headers")[header] == nil {
				c.say(place+" "+header, "gone")
			}
		}
		c.content(place, then, today, false)
	}
}

// parametersOf returns the parameters of an operation by place and name.
func parametersOf(document, operation object) map[string]object {
	out := map[string]object{}
	list, _ := operation["parameters"].([]any)
	for _, p := range list {
		is := resolve(document, p)
		out[fmt.Sprint(is["in"], " ", is["name"])] = is
	}
	return out
}

func (c *comparison) parameters(at string, was, is map[string]object) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			c.say(at+" "+name, "gone")
			continue
		}
		c.schema(at+" "+name, was[name]["schema"], is[name]["schema"], true)
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if is[name]["required"] == true && (was[name] == nil || was[name]["required"] != true) {
			c.say(at+" "+name, "required now")
		}
	}
}

func (c *comparison) content(at string, was, is object, sent bool) {
	for _, media := range keys(part(was, "content")) {
		today := part(is, "content", media)
		if today == nil {
			c.say(at+" "+media, "gone")
			continue
		}
		c.schema(at, part(was, "content", media)["schema"], today["schema"], sent)
	}
}

// loose are the keywords of a schema that schema compares itself, or that mean nothing to programs.
var loose = []string{
	"$ref", "description", "title", "example", "examples", "default", "type", "properties", "required", "enum",
	"items", "additionalProperties",
	"anyOf", "oneOf", "allOf", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
}

// schema compares two schemas: what could be sent must still be accepted, and what is answered must
// still be understood.
func (c *comparison) schema(at string, old, now any, sent bool) {
	pair := fmt.Sprint(refOf(old), refOf(now), sent)
	if refOf(old) != "" && c.seen[pair] {
		return
	}
	c.seen[pair] = refOf(old) != ""
	was, is := resolve(c.old, old), resolve(c.now, now)
	if was == nil {
		return
	}
	if is == nil {
		c.say(at, "has no schema now")
		return
	}
	for _, word := range keys(was) {
		if !slices.Contains(loose, word) {
			c.same(at+" "+word, was[word], is[word])
		}
	}
	for _, word := range keys(is) {
		if _, there := was[word]; !there && !slices.Contains(loose, word) {
			c.say(at, word+" is new")
		}
	}
	c.types(at, was, is, sent)
	c.values(at, was, is, sent)
	c.properties(at, was, is, sent)
	c.schema(at+"[]", was["items"], is["items"], sent)
	if _, closed := is["additionalProperties"].(bool); closed || was["additionalProperties"] == nil {
		c.closed(at, was, is, sent)
	} else {
		c.schema(at+"{}", was["additionalProperties"], is["additionalProperties"], sent)
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		then, _ := was[word].([]any)
		today, _ := is[word].([]any)
		if len(then) > len(today) || !sent && len(then) != len(today) {
			c.say(at, fmt.Sprintf("%d kinds of %s were %d", len(today), word, len(then)))
			continue
		}
		for i := range then {
			c.schema(fmt.Sprintf("%s/%d", at, i), then[i], today[i], sent)
		}
	}
}

func refOf(v any) string {
	o, _ := v.(object)
	ref, _ := o["$ref"].(string)
	return ref
}

// closed reports where unknown fields, formerly ignored, are refused now.
func (c *comparison) closed(at string, was, is object, sent bool) {
	if sent && is["additionalProperties"] == false && was["additionalProperties"] != false {
		c.say(at, "now refuses unknown fields")
	}
}

// types compares the types: all former types are still accepted, and only former types are answered.
func (c *comparison) types(at string, was, is object, sent bool) {
	then, today := asList(was["type"]), asList(is["type"])
	if !sent {
		then, today = today, then
	}
	if len(today) == 0 && sent {
		return // any type is accepted
	}
	for _, one := range then {
		if !slices.Contains(today, one) {
			c.say(at+" type", fmt.Sprintf("%v was %v", is["type"], was["type"]))
			return
		}
	}
	if !sent && len(then) == 0 && len(today) > 0 {
		c.say(at+" type", "the answer may now be of any type")
	}
}

func asList(v any) []any {
	if list, ok := v.([]any); ok || v == nil {
		return list
	}
	return []any{v}
}

// values compares enumerations and bounds. An answer may have new values: clients ignore those that they don't know.
func (c *comparison) values(at string, was, is object, sent bool) {
	then, today := asList(was["enum"]), asList(is["enum"])
	if len(today) > 0 && len(then) == 0 && sent {
		c.say(at+" enum", "now accepts only some values")
	}
	for _, v := range then {
		if len(today) > 0 && !slices.Contains(today, v) {
			c.say(at+" enum", fmt.Sprint(v, " is gone"))
		}
	}
	for word, side := range map[string]float64{"minimum": 1, "minLength": 1, "minItems": 1, "maximum": -1,
		"maxLength": -1, "maxItems": -1} {
		bound, has := is[word].(float64)
		before, had := was[word].(float64)
		if sent && has && (!had || side*bound > side*before) {
			c.say(at+" "+word, fmt.Sprintf("%v was %v", bound, was[word]))
		}
	}
}

func (c *comparison) properties(at string, was, is object, sent bool) {
	for _, name := range keys(part(was, "properties")) {
		now, there := part(is, "properties")[name]
		if !there {
			c.say(at+"."+name, "gone")
			continue
		}
		c.schema(at+"."+name, part(was, "properties")[name], now, sent)
	}
	then, today := asList(was["required"]), asList(is["required"])
	if sent {
		for _, name := range today {
			if !slices.Contains(then, name) {
				c.say(fmt.Sprint(at, ".", name), "required now")
			}
		}
		return
	}
	for _, name := range then {
		if !slices.Contains(today, name) {
			c.say(fmt.Sprint(at, ".", name), "may be absent now")
		}
	}
}
