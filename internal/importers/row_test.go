package importers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRowIDs checks that an id is returned as written, also if another field is invalid.
func TestRowIDs(t *testing.T) {
	for in, want := range map[string]struct{ id, err string }{
		`{"id":1.50,"claim":"a","evidence":[],"x":{"label":[1]}}`: {"1.50", ""},
		`{"id":-0,"claim":"a","evidence":[]}`:                     {"-0", ""},
		`{"id":null,"claim":"a","evidence":[]}`:                   {"", ""},
		`{"id":"a\u00e9","claim":"a","evidence":[]}`:              {"aé", ""},
		`{"id":{},"claim":"a","evidence":[]}`:                     {"", "id: This is an object"},
		`{"id":true,"claim":"a","evidence":[]}`:                   {"", "id: "},
		`{"claim":5,"id":"behind"}`:                               {"behind", "claim: "},
		`{"evidence":[{"doc":"d"}],"id":12}`:                      {"12", "evidence[0].text"},
		`{"id":"first","claim":"a","evidence":[`:                  {"first", "send the whole"},
		`{"id":3,"claim":" ","evidence":[]}`:                      {"3", "claim: This is empty"},
		`[]`:                                                      {"", "send an object"},
	} {
		row, err := ReadRow([]byte(in))
		require.Equal(t, want.id, row.ID, in)
		if want.err == "" {
			require.NoError(t, err, in)
		} else {
			require.ErrorContains(t, err, want.err, in)
		}
	}
}

func TestReadRow(t *testing.T) {
	row, err := ReadRow([]byte(`{"id":7,"claim":"a","evidence":[{"doc":"d","text":"t"}],"label":"supported"}`))
	require.NoError(t, err)
	require.Equal(t, "7", row.ID)
	require.Equal(t, "t", row.Evidence[0].Text)
	row, err = ReadRow([]byte(`{"id":"x","claim":5}`))
	require.ErrorContains(t, err, "claim")
	require.Equal(t, "x", row.ID)
	_, err = ReadRow([]byte(`{"id":"x","claim":"a"}`))
	require.ErrorContains(t, err, "evidence")
}
