package strictjson

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
	"github.com/stretchr/testify/require"
)

// FuzzStrict: whatever Decode accepts, encoding/json accepts too and reads as the same value, and it has a canonical
// form.
func FuzzStrict(f *testing.F) {
	for _, fault := range faults {
		f.Add([]byte(fault.in))
	}
	f.Add([]byte(`{"a":[1,-2.5e3,true,null,"",{"b":"\ud83d\ude00 سند"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got any
		if err := Decode(data, &got, Options{}); err != nil {
			var fault *Error
			require.ErrorAs(t, err, &fault)
			msg := fault.Message.String()
			require.NotEmpty(t, msg)
			require.True(t, utf8.ValidString(fault.Path+msg))
			require.Less(t, len(msg), 2000)
			require.False(t, len(data) < 200 && json.Valid(data) && plainJSON(data), "%q: %v", data, err)
			return
		}
		var want any
		require.NoError(t, json.Unmarshal(data, &want))
		require.Equal(t, want, got)
		if m, ok := got.(map[string]any); ok {
			again, err := json.Marshal(m)
			require.NoError(t, err)
			_, err = jcs.Transform(again)
			require.NoError(t, err)
			var raw json.RawMessage
			require.NoError(t, Decode(data, &raw, Options{}))
			require.True(t, json.Valid(raw))
		}
	})
}

// plainJSON reports whether JSON is so simple that Decode must accept it if encoding/json does.
func plainJSON(data []byte) bool {
	keys := 0
	for _, c := range data {
		if c == ':' {
			keys++
		}
		if c == '\\' || c >= 0x80 || c == 'e' || c == 'E' || c >= '0' && c <= '9' {
			return false
		}
	}
	return keys < 2 && len(data) < 60
}
