package pointer_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/text"
)

// evaluationSets are the files of the evaluation, if the checkout has a shared folder beside or above it.
func evaluationSets() []string {
	dir, _ := filepath.Abs(".")
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if files, _ := filepath.Glob(filepath.Join(dir, "shared", "eval", "*", "*.jsonl")); len(files) > 0 {
			return files
		}
	}
	return nil
}

// TestOrdinarySentences counts how many sentences of real evidence are taken for ones that address the judge, in the
// first of each set.
func TestOrdinarySentences(t *testing.T) {
	const most = 300 // sentences of a set
	files := evaluationSets()
	if len(files) == 0 {
		t.Skip("no shared/eval")
	}
	all, taken := 0, 0
	for _, name := range files {
		in, err := os.Open(name)
		require.NoError(t, err)
		rows := bufio.NewScanner(in)
		rows.Buffer(nil, 32<<20)
		for n := 0; n < most && rows.Scan(); {
			var row struct{ Evidence []struct{ Text string } }
			require.NoError(t, json.Unmarshal(rows.Bytes(), &row), name)
			for _, e := range row.Evidence {
				for _, span := range text.Sentences(e.Text) {
					all, n = all+1, n+1
					if s := text.Slice(e.Text, span); judge.Addresses(s) {
						taken++
						t.Logf("%s: %s", filepath.Base(name), s)
					}
				}
			}
		}
		require.NoError(t, in.Close())
	}
	t.Logf("%d of %d sentences of %d sets", taken, all, len(files))
	require.LessOrEqual(t, taken*1000, all, "at most one in a thousand")
}
