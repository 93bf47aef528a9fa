package importers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// Rows that are held in memory at once are bounded, however short they are, as a list and as lines.
func TestHeldRowsAreBounded(t *testing.T) {
	for name, in := range map[string]string{
		"list":  "[" + strings.Repeat("{},", maxRows) + "{}]",
		"lines": strings.Repeat("{}\n", maxRows+1),
		"spans": strings.Repeat(`{"spans":[{"attributes":0}]}`+"\n", maxRows+1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read([]byte(in), Options{})
			requireTooLarge(t, err, "[400000]")
			if name == "spans" {
				err = ReadEach(bytes.NewReader([]byte(in)), int64(len(in)), Options{}, nil)
				requireTooLarge(t, err, "[400000]")
			}
		})
	}
}

func requireTooLarge(t *testing.T, err error, path string) {
	t.Helper()
	var fault *domain.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, domain.TooLarge, fault.Kind)
	require.Equal(t, path, fault.Path)
}

// A list of a bundle has as many items as any other, damaged ones included, and one more is refused at the list.
func TestListsOfBundlesAreBounded(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("null,", n-1) + "{}]" }
	for path, around := range map[string][2]string{
		"job_input.extra_params.evidence": {`{"job_input":{"extra_params":{"evidence":`, `}}}`},
		"evidence_refs.lake_text":         {`{"evidence_refs":{"lake_text":`, `}}`},
		"evidence_refs.other":             {`{"evidence_refs":{"other":`, `}}`},
	} {
		_, err := ReadBundleRequest([]byte(around[0] + list(strictjson.MaxItems) + around[1]))
		require.NoError(t, err, path)
		_, err = ReadBundleRequest([]byte(around[0] + list(strictjson.MaxItems+1) + around[1]))
		requireTooLarge(t, err, path)
	}
}
