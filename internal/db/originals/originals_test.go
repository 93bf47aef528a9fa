package originals

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFolder(t *testing.T) {
	for url, want := range map[string]string{
		"": "dir" + string(os.PathSeparator) + "originals", "file:///a/b": "/a/b", "file:///a/b?create_dir=1": "/a/b",
		"file://./a/b":        "a/b",
		"file:///a?prefix=x/": "", "mem://": "", "s3://bucket": "", "file:///a%20b": "/a b",
	} {
		require.Equal(t, filepath.FromSlash(want), Folder(url, "dir"), url)
	}
}
