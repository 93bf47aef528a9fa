package static

import (
	"bytes"
	"io/fs"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestServedIsLean checks that our style sheets and scripts are sent without comments and as many rules as they have, and
// what is vendored as it is.
func TestServedIsLean(t *testing.T) {
	names, err := fs.Glob(FS, "*")
	require.NoError(t, err)
	for _, name := range names {
		data, err := FS.ReadFile(name)
		require.NoError(t, err)
		sent, err := Served.ReadFile(name)
		require.NoError(t, err)
		kind := path.Ext(name)
		if kind != ".css" && kind != ".js" || vendored(name) {
			require.Equal(t, data, sent, name)
			continue
		}
		require.Less(t, len(sent), len(data), name)
		require.Greater(t, len(sent), 200, name)
		require.NotContains(t, string(sent), "\n/*", name)
		if kind == ".css" {
			require.Equal(t, bytes.Count(data, []byte("{")), bytes.Count(sent, []byte("{")), name)
		}
	}
}
