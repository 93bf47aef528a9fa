package packs

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/exporttest"
)

// The letterhead stands at the head of a pack in both languages, in the same bytes each time, and pack.json, its digest
// and the Markdown know nothing of it.
func TestPackLetterhead(t *testing.T) {
	plain := fixtures["hospital"](t)
	var bare bytes.Buffer
	require.NoError(t, PDF(&bare, plain))
	for name, letter := range exporttest.Letterheads(t) {
		t.Run(name, func(t *testing.T) {
			packed := func() []byte {
				d := fixtures["hospital"](t)
				d.Letter = letter
				var b bytes.Buffer
				require.NoError(t, PDF(&b, d))
				require.Equal(t, plain.Digest, d.Digest)
				require.Equal(t, plain.JSON, d.JSON)
				return b.Bytes()
			}
			require.NotEqual(t, bare.Bytes(), packed())
			exporttest.CheckLetterhead(t, packed)
		})
	}
}
