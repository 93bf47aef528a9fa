package canonical_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/canonical"
)

func TestCanonical(t *testing.T) {
	for _, good := range []string{`{}`, `{"a":1,"b":[true,null,"é"]}`, `{"a":9007199254740991}`, `{"a":-0.5}`} {
		require.NoError(t, canonical.Check([]byte(good)), good)
	}
	for _, bad := range []string{
		``, `[]`, `1`, `{"b":1,"a":2}`, `{"a":1,"a":1}`, `{"a": 1}`, `{} `, `{}{}`, `{"a":9007199254740992}`,
		`{"a":-9007199254740993}`, `{"a":1e300}`, `{"a":1e999}`,
		`{"a":1.0}`, `{"a":"\u00e9"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}",
		`{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "\ufeff{}", `{"a":"\ud83c"}`,
	} {
		require.Error(t, canonical.Check([]byte(bad)), bad)
	}
	_, err := canonical.JSON(map[string]any{"n": 1 << 53})
	require.Error(t, err)
	data, err := canonical.JSON(map[string]any{"b": "<\u2028>", "a": 1.5})
	require.NoError(t, err)
	require.Equal(t, "{\"a\":1.5,\"b\":\"<\u2028>\"}", string(data))
	require.NoError(t, canonical.Check(data))
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,2,{"b":"\u0000"}]}`, `{"a":1e21}`, `{"a":"\ud83c\udf34"}`,
		"{\"\xff\":1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if canonical.Check(data) != nil {
			return
		}
		var v any
		require.NoError(t, json.Unmarshal(data, &v))
		again, err := canonical.JSON(v)
		require.NoError(t, err)
		require.Equal(t, string(data), string(again), "only the canonical form is accepted")
	})
}
