package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// Each row of a file becomes a session; a row that cannot be imported is reported and does not stop the others.
func TestImportOfRows(t *testing.T) {
	const file = "../../internal/importers/testdata/ragas/rows.jsonl"
	dir := dbtest.Dir(t)
	code, out, errs := call(t, "", "import", "--data", dir, file)
	require.Equal(t, exitFailed, code)
	require.Equal(t, 4, strings.Count(out, "\tnew\t"), out)
	require.Contains(t, errs, "[3].response: There is no answer here")
	require.Contains(t, errs, "[1].contexts[1]: This passage has no words")
	_, again, _ := call(t, "", "import", "--data", dir, file)
	require.Equal(t, 4, strings.Count(again, "\talready there\t"), again)
}
