package strictjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A value that is found and not read may be nested more deeply than the stack would bear, and hold what is refused
// elsewhere.
func TestUnread(t *testing.T) {
	for _, value := range []string{
		nested(MaxDepth + 1), nested(4_000_000),
		`{"a":1,"a":[2,{}],"b":"\ud83d \" }"}`, "9007199254740993", "true", "null", `"]"`, "-1.5e3",
	} {
		src := `{"before":1, "list":[ ` + value + ` ,7], "after":2}`
		var got struct {
			Before, After float64
			List          []Unread `json:"list"`
			None          Unread   `json:"none"`
		}
		require.NoError(t, DecodeText(src, &got, Options{Ignore: true}), value[:min(len(value), 50)])
		require.Len(t, got.List, 2)
		require.Equal(t, value, got.List[0].In(src))
		require.Equal(t, "7", got.List[1].In(src))
		require.Empty(t, got.None.In(src))
	}
	for value, told := range map[string]string{
		`[1,]`:    "a value is expected",
		`{"a" 1}`: `":" after the key`, `{1:2}`: "a key in double quotes", `[1 2]`: `"," or "]"`,
		`{"a":1]`: `"," or "}"`, `"\x"`: "JSON has no escape", `"\u12g4"`: "four hex digits", "\"\n\"": "A text contains a line break",
		`[01]`: "This is not a JSON number", `[tru]`: "a value is expected",
		`[[`: "The input ends here", `"a`: "The input ends here",
		`{"a":1,}`: "a key in double quotes",
	} {
		var got struct {
			A Unread `json:"a"`
		}
		err := DecodeText(`{"a":`+value, &got, Options{})
		require.ErrorIs(t, err, ErrMalformed, value)
		require.ErrorContains(t, err, told, value)
	}
}

// FuzzUnread: what is passed over is JSON, and all JSON is.
func FuzzUnread(f *testing.F) {
	for _, fault := range faults {
		f.Add(fault.in)
	}
	f.Add(`{"a":[1,-2.5e3,true,null,"",{"b":"\ud83d\ude00 سند"}]}, {"a":1,"a":2}`)
	f.Fuzz(func(t *testing.T, data string) {
		if strings.Count(data, "[")+strings.Count(data, "{") > 9_000 {
			return // encoding/json goes no deeper
		}
		src := "[" + data + "]"
		var got []Unread
		err := DecodeText(src, &got, Options{})
		require.Equal(t, json.Valid([]byte(src)), err == nil, "%q: %v", src, err)
		for _, u := range got {
			require.True(t, err != nil || json.Valid([]byte(u.In(src))))
		}
	})
}
