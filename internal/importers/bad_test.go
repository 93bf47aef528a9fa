package importers

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

func TestBadInputs(t *testing.T) {
	require.GreaterOrEqual(t, len(badInputs), 45)
	_, err := Read([]byte(valid), small)
	require.NoError(t, err, "the bad inputs are made from this one, which must be valid")
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			limits := small
			if c.kind != domain.TooLarge {
				limits = Options{}
			}
			_, err := Read([]byte(c.in), limits)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, e.Error())
			require.Equal(t, c.path, e.Path, e.Text())
			require.Contains(t, e.Text(), c.says)
			require.LessOrEqual(t, len(e.Text()), 400)
		})
	}
}

// TestTruncated cuts a good file at every byte. It is always refused, with an error that names no place beyond the cut.
func TestTruncated(t *testing.T) {
	data := bytes.TrimSpace(sample(t))
	for i := 1; i < len(data); i++ {
		_, err := Read(data[:i], Options{})
		var e *domain.Error
		require.ErrorAs(t, err, &e, i)
		require.Equal(t, domain.Invalid, e.Kind)
		require.ErrorIs(t, err, strictjson.ErrMalformed)
		if strings.Contains(e.Text(), "UTF-8") { // cut within a character
			continue
		}
		require.Contains(t, e.Text(), "send the whole of it", i)
	}
}

// TestDecode checks that faults of strictjson become faults of the domain with the same place and message.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, in, says string
		kind           domain.Kind
		malformed      bool
	}{
		{name: "malformed", in: `{"a":01}`, kind: domain.Invalid, malformed: true,
			says: "importers.Decode: a: Line 1, column 6: This is not a JSON number; write it like 12, -3.5 or 1e-3.: " +
				"malformed JSON"},
		{name: "invalid", in: `{"a":"x"}`, kind: domain.Invalid,
			says: "importers.Decode: a: This is a text; give a list."},
		{name: "too many items", in: `{"a":[1,2]}`, kind: domain.TooLarge,
			says: "importers.Decode: a: This list has more than 1 items; split the input."},
		{name: "too many bytes", in: `{"a":[1        ]}`, kind: domain.TooLarge,
			says: "The input has 17 bytes, more than the 16 that are read; split it."},
		{name: "good", in: `{"a":[1]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v struct {
				A []int `json:"a" limit:"1"`
			}
			err := Decode([]byte(c.in), &v, strictjson.Options{MaxBytes: 16})
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.says)
			require.Equal(t, c.kind, domain.KindOf(err))
			require.Equal(t, c.malformed, errors.Is(err, strictjson.ErrMalformed))
		})
	}
}
