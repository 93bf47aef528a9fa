package strictjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// target is the type that the faulty inputs are decoded into.
type target struct {
	Name  string         `json:"name" limit:"5"`
	List  []int          `json:"list" limit:"items"`
	Opt   *float64       `json:"opt"`
	Free  any            `json:"free"`
	Map   map[string]any `json:"map" limit:"2"`
	Array [2]int         `json:"array"`
	Time  time.Time      `json:"time"`
	Known Skipped        `json:"known"`
	Inner []struct {
		ID string `json:"id" need:"noun_chunk_words"`
	} `json:"inner"`
}

// faults are inputs, each with the whole error that Decode returns.
var faults = []struct {
	name, in, path, msg string
	kind                Kind
}{
	{name: "empty", in: " ", msg: "Line 1, column 2: The input is empty; send a JSON object."},
	{
		name: "byte order mark", in: "\ufeff{}",
		msg: "Line 1, column 1: The input begins with a byte order mark; save it as UTF-8 without one.",
	},
	{
		name: "cut", in: `{"name":"a`, path: "name",
		msg: "Line 1, column 11: The input ends here, in the middle of a value (after 10 bytes); send the whole of it.",
	},
	{name: "cut word", in: `{"free":nul`, path: "free",
		msg: "Line 1, column 12: The input ends here, in the middle of a value " +
			"(after 11 bytes); send the whole of it."},
	{
		name: "two values", in: "{}\n{}",
		msg: "Line 2, column 1: More follows after the end of the value; send one JSON value only.",
	},
	{
		name: "trailing comma", in: `{"name":"a",}`,
		msg: `Line 1, column 13: '}' is not allowed here; a key in double quotes is expected.`,
	},
	{
		name: "trailing comma in a list", in: `{"list":[1,]}`, path: "list",
		msg: `Line 1, column 12: ']' is not allowed here; a value is expected.`,
	},
	{
		name: "key twice, escaped", in: `{"free":{"a":1,"\u0061":2}}`, path: "free.a",
		msg: `Line 1, column 24: The key "a" appears twice in this object; keep one.`,
	},
	{
		name: "malformed behind a wrong type", in: `{"name":7,"free":[1,01]}`, path: "free[1]",
		msg: "Line 1, column 21: This is not a JSON number; write it like 12, -3.5 or 1e-3.",
	},
	{
		name: "nested too deep", in: nested(MaxDepth + 1), path: strings.Repeat("[0]", MaxDepth),
		msg: "Line 1, column 65: This is nested more than 64 levels deep; flatten it.",
	},
	{
		name: "not UTF-8", in: "{\"name\":\"a\xff\"}", path: "name",
		msg: "Line 1, column 11: Byte 0xFF is not UTF-8; save the input as UTF-8.",
	},
	{
		name: "half a surrogate pair", in: `{"map":{"a b":{"c":"\ud800"}}}`, path: `map["a b"].c`,
		msg: `Line 1, column 21: \ud800 is half of a surrogate pair; write both halves or the character itself.`,
	},
	{
		name: "unknown escape", in: `{"name":"\x41"}`, path: "name",
		msg: `Line 1, column 10: JSON has no escape \"x"; double the backslash or remove it.`,
	},
	{
		name: "short escape", in: `{"name":"\u12"}`, path: "name",
		msg: `Line 1, column 10: \u needs four hex digits; write them or double the backslash.`,
	},
	{
		name: "line break in a text", in: "{\"name\":\"a\nb\"}", path: "name",
		msg: `Line 1, column 11: A text contains a line break or control character; write it as \n or \u00XX.`,
	},
	{
		name: "a number that is not kept", in: `{"free":9007199254740993}`, path: "free",
		msg: "Line 1, column 9: This number is beyond 2^53−1 and would not be kept exactly; write it as a text in quotes.",
	},
	{name: "null", in: "null", msg: "The input is null; send an object.", kind: Invalid},
	{name: "unknown field", in: `{"nome":1}`, path: "nome", kind: Invalid,
		msg: `There is no field "nome" here; remove it or correct its name.`},
	{name: "other case", in: `{"Name":"a"}`, path: "Name", kind: Invalid,
		msg: `There is no field "Name" here; remove it or correct its name.`},
	{name: "wrong type", in: `{"list":[1,"2"]}`, path: "list[1]", kind: Invalid,
		msg: "This is a text; give a whole number."},
	{name: "fraction", in: `{"list":[1.5]}`, path: "list[0]", kind: Invalid,
		msg: "This number has a fraction; give a whole number."},
	{name: "null in a list", in: `{"list":[null]}`, path: "list[0]", kind: Invalid,
		msg: "null is not allowed in this list; leave the item out."},
	{name: "required field", in: `{"inner":[{"id":"a"},{"id":null}]}`, path: "inner[1].id", kind: Invalid,
		msg: "This is missing; give the words of the chunk."},
	{name: "not a time", in: `{"time":"now"}`, path: "time", kind: Invalid,
		msg: `"now" cannot be read here; times are written like 2024-01-31T10:00:00Z.`},
	{name: "of a rarer kind", in: `{"array":"x"}`, path: "array", kind: Invalid,
		msg: "This cannot be read here; give a value of the documented type."},
	{name: "the longest text", in: `{"name":"سندات"}`, kind: -1}, // no fault: code points count, not bytes
	{name: "too long a text", in: `{"name":"سندات."}`, path: "name", kind: TooLarge,
		msg: "This text is longer than 5 characters; shorten it."},
	{name: "too many items", in: `{"list":[1,2,3,4]}`, path: "list", kind: TooLarge,
		msg: "This list has more than 3 items; split the input."},
	{name: "too many entries", in: `{"map":{"a":1,"b":2,"c":3}}`, path: "map", kind: TooLarge,
		msg: "This object has more than 2 entries; leave some out."},
	{name: "too many bytes", in: strings.Repeat(" ", 1001), kind: TooLarge,
		msg: "The input has 1,001 bytes, more than the 1,000 that are read; split it."},
}

var limits = Options{MaxBytes: 1000, Limits: map[string]int{"items": 3}}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			var v target
			err := Decode([]byte(f.in), &v, limits)
			if f.kind < 0 {
				require.NoError(t, err)
				return
			}
			var fault *Error
			require.ErrorAs(t, err, &fault)
			require.Equal(t, []any{f.kind, f.path, f.msg}, []any{fault.Kind, fault.Path, fault.Message.String()})
			require.Equal(t, f.kind == Malformed, errors.Is(err, ErrMalformed))
		})
	}
}

func TestOneLineNamesOnlyTheColumn(t *testing.T) {
	var v target
	err := Decode([]byte(`{"name":}`), &v, Options{OneLine: true})
	require.EqualError(t, err, "name: column 9: '}' is not allowed here; a value is expected.: malformed JSON")
}

func TestDecodeAcceptsValidJSON(t *testing.T) {
	for _, in := range []string{
		`{"x":` + nested(63) + `}`, `{"x":"\ud83d\ude00 \u00e9 \/ \" \\ \b\f\n\r\t"}`, `{"x":-0.0e+5}`,
		`{"x":9007199254740991}`, "\t{\n}\r ", `{"":1}`, `{"x":[null,true,false,1.5,"a",{"y":[]}]}`,
		`{"x":"` + "\u2028\x7f" + `"}`,
	} {
		var got, want map[string]any
		require.NoError(t, Decode([]byte(in), &got, Options{}), in)
		require.NoError(t, json.Unmarshal([]byte(in), &want))
		require.Equal(t, want, got)
	}
}

func TestDecode(t *testing.T) {
	var v target
	require.NoError(t, Decode([]byte(`{"name":"a","list":[1,2.0],"opt":1.5,"free":{"a":[1]},"map":{"k":"v"},"array":[1,2],
		"known":[{"of":"any kind"}],"time":"2024-01-31T10:00:00Z","inner":null}`), &v, Options{}))
	require.Equal(t, []int{1, 2}, v.List)
	require.Equal(t, [2]int{1, 2}, v.Array)
	require.InDelta(t, 1.5, *v.Opt, 0)
	require.Equal(t, map[string]any{"a": []any{1.0}}, v.Free)
	require.Equal(t, map[string]any{"k": "v"}, v.Map)
	require.Equal(t, time.Date(2024, 1, 31, 10, 0, 0, 0, time.UTC), v.Time)
}

func TestUnknownFields(t *testing.T) {
	const in = `{"name":"a","x":{"k": [1, 2]},"inner":[{"id":"i","a b": null}]}`
	got := map[string]string{}
	keep := Options{Unknown: func(path string, raw json.RawMessage) { got[path] = string(raw) }}
	var v target
	require.NoError(t, Decode([]byte(in), &v, keep))
	require.Equal(t, map[string]string{"x": `{"k":[1,2]}`, `inner[0]["a b"]`: "null"}, got)
	require.Equal(t, "i", v.Inner[0].ID)

	keep.UnknownBytes = 11 // "x" and its eleven bytes of JSON are one too many
	err := Decode([]byte(in), &v, keep)
	require.EqualError(t, err, "x: The unknown fields up to here have more than 11 bytes; remove them.")

	require.NoError(t, Decode([]byte(in), &v, Options{Ignore: true}))
	require.ErrorIs(t, Decode([]byte(`{"x":[1,]}`), &v, Options{Ignore: true}), ErrMalformed)
}

func TestPath(t *testing.T) {
	require.Equal(t, `extra["a b"].c`, Path("extra", "a b", "c"))
	require.Equal(t, strings.Repeat("k", MaxKey)+"…", Clip(strings.Repeat("k", MaxKey+1)))
	require.Equal(t, strings.Repeat("k", MaxKey-1)+"…", Clip(strings.Repeat("k", MaxKey-1)+"ي"), "characters stay whole")
}

// What a visitor reads is read once; what it does not read is skipped.
func TestCursor(t *testing.T) {
	const in = ` {"a": [1, "x", {}], "b": { "k" : 1 }, "c": 2} [3]`
	c := NewCursor(in, 0)
	require.Equal(t, byte('{'), c.Peek())
	var keys []string
	var raw json.RawMessage
	var second string
	require.NoError(t, c.Members(func(key string) (err error) {
		switch keys = append(keys, key); key {
		case "a":
			return c.Items(func(i int) error {
				if i == 1 {
					second, err = c.Text()
				}
				return err
			})
		case "b":
			raw, err = c.Raw()
		}
		return err
	}))
	require.Equal(t, []string{"a", "b", "c"}, keys)
	require.Equal(t, "x", second)
	require.JSONEq(t, `{"k":1}`, string(raw))
	require.False(t, c.End())
	require.False(t, c.Take('{'))
	rest, err := c.Value()
	require.NoError(t, err)
	require.Equal(t, "[3]", rest)
	require.True(t, c.End())
	require.Equal(t, len(in), c.Pos())

	c = NewCursor(`{} {}`, 0)
	require.ErrorIs(t, c.Whole(c.Skip), ErrMalformed)
	c = NewCursor(`{"a":[1,{"b":"\x"}]}`, 0)
	err = c.Members(func(string) error { return nil })
	var fault *Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, "a[1].b", fault.Path)
}
