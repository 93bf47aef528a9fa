package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// goWords are words of Go's packages, which say nothing to whoever reads a refusal.
var goWords = regexp.MustCompile(`strconv\.|json: |xml: |csv: |zip: |hex: |base64 data|gob: |proto: |parsing "|invalid syntax|` +
	`invalid character|unexpected end of JSON|unexpected EOF|\bEOF\b|cannot unmarshal|Go (?:value|struct)|of type \w+\.|` +
	`runtime error|out of range|illegal |record on line|wrong number of fields|mapstructure|%!|<nil>|0x[0-9a-f]{6}|\[\]\w+|map\[`)

// requireOwnWords fails if an error, or what it wraps, speaks Go in either language.
func requireOwnWords(t *testing.T, err error, in []byte) {
	t.Helper()
	var all []*domain.Error
	var walk func(error)
	walk = func(err error) {
		var one *domain.Error
		if many, is := err.(interface{ Unwrap() []error }); is {
			for _, e := range many.Unwrap() {
				walk(e)
			}
			return
		}
		if errors.As(err, &one) {
			all = append(all, one)
			walk(one.Err)
		}
	}
	walk(err)
	for _, e := range all {
		for _, lang := range []string{"en", "ar"} {
			said := words.In(lang).Plain(e.Message)
			require.NotRegexp(t, goWords, said, "%s of %.200s", e.Path, in)
			require.NotEmpty(t, said)
		}
	}
}

// wrongKinds are values of a kind that a field does not take.
var wrongKinds = []any{nil, true, -1.5, 1e300, json.Number("1e999"), "\x00", "2026-13-45T99:99:99Z", []any{}, []any{[]any{nil}}, map[string]any{"a": map[string]any{}}}

// mutated returns a value of JSON with each of its members in turn replaced by something else.
func mutated(v any, with func(v any) bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, was := range v {
			for _, w := range wrongKinds {
				v[name] = w
				if !with(w) {
					return
				}
			}
			delete(v, name)
			with(nil)
			v[name] = was
			mutated(was, with)
		}
	case []any:
		for i, was := range v[:min(len(v), 2)] {
			for _, w := range wrongKinds[:3] {
				v[i] = w
				with(w)
			}
			v[i] = was
			mutated(was, with)
		}
	}
}

// TestRefusalsSpeakNoGo walks every reader of files: each sample cut short, garbled, and with each of its members
// replaced by a value of another kind, is taken or refused in our own words, in both languages.
func TestRefusalsSpeakNoGo(t *testing.T) {
	t.Parallel()
	refused := 0
	try := func(in []byte) {
		_, err := Read(in, Options{})
		if err != nil {
			refused++
			requireOwnWords(t, err, in)
		}
		_, err = FromForm(context.Background(), Form{Session: in}, Options{})
		requireOwnWords(t, err, in)
		_, _, err = ReadDecision(in)
		requireOwnWords(t, err, in)
	}
	files, err := filepath.Glob("testdata/*/*")
	require.NoError(t, err)
	for _, name := range append(files, "testdata/leave.json") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for i := range 12 {
			try(data[:len(data)*i/12])
			garbled := bytes.Clone(data)
			for j := i; j < len(garbled); j += 97 + i {
				garbled[j] = "{}[]\",:\\0e\x00\xff"[(i+j)%12]
			}
			try(garbled)
		}
		var v any
		if json.Unmarshal(data, &v) != nil || len(data) > 2<<10 {
			continue
		}
		mutated(v, func(any) bool {
			out, err := json.Marshal(v)
			require.NoError(t, err)
			try(out)
			return true
		})
	}
	require.Greater(t, refused, 1000)
}
