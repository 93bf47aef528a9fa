package words_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keysOf returns the keys of the object that a file of messages is, as often as they are written: encoding/json keeps
// the last of two equal ones and says nothing.
func keysOf(t *testing.T, data []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	first, err := d.Token()
	require.NoError(t, err)
	require.Equal(t, json.Delim('{'), first)
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		keys = append(keys, key.(string))
		var value any
		require.NoError(t, d.Decode(&value))
	}
	return keys
}

// TestNoMessageIsWrittenTwice: in each language an id is written once in all files together, and in the file of the
// same name as in the other language; exported texts are English only.
func TestNoMessageIsWrittenTwice(t *testing.T) {
	require.Equal(t, []string{"a", "b", "a"}, keysOf(t, []byte(`{"a": "1", "b": {"one": "x", "other": "y"}, "a": "2"}`)))
	files := map[string]map[string]string{}
	for _, lang := range []string{"en", "ar"} {
		names, err := filepath.Glob("messages/*." + lang + ".json")
		require.NoError(t, err)
		require.NotEmpty(t, names)
		in := map[string]string{}
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			base := strings.TrimSuffix(filepath.Base(name), "."+lang+".json")
			for _, id := range keysOf(t, data) {
				require.NotContains(t, in, id, "%s: %q is there already", name, id)
				in[id] = base
			}
		}
		files[lang] = in
	}
	for id, file := range files["en"] {
		if file != "exported" {
			require.Equal(t, file, files["ar"][id], "the Arabic of %q", id)
		}
	}
	for id := range files["ar"] {
		require.Contains(t, files["en"], id)
	}
}
