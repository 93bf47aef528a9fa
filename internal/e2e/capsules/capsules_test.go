package capsules

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// sumsFile lists the SHA-256 of each capsule.
const sumsFile = "SHA256SUMS"

// ledger has the fields of an exported ledger that the tests read.
type ledger struct {
	Sanad struct {
		Claims []struct {
			Text    string           `json:"claim_text"`
			Reviews []map[string]any `json:"reviews"`
		} `json:"claims"`
	} `json:"sanad"`
}

func readLedger(t *testing.T, data []byte) (l ledger) {
	t.Helper()
	require.NoError(t, json.Unmarshal(data, &l))
	require.NotEmpty(t, l.Sanad.Claims)
	return l
}

func (l ledger) reviews() (n int) {
	for _, c := range l.Sanad.Claims {
		n += len(c.Reviews)
	}
	return n
}

// unzip returns the files of a zip, by name.
func unzip(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		out[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return out
}

// untar unpacks an archive into a folder.
func untar(t *testing.T, file, dir string) {
	t.Helper()
	packed, err := os.Open(file)
	require.NoError(t, err)
	defer packed.Close() //nolint:errcheck // only read
	z, err := gzip.NewReader(packed)
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o700))
			continue
		}
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
}
