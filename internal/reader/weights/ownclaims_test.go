package weights_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
)

// ownClaim is a claim about a document of testdata/own60. Documents and claims were written by somebody who did not
// know the judge, and no weight or curve was found on them.
type ownClaim struct{ Doc, Claim, Verdict, Kind string }

// TestOwnClaims judges 60 claims over three documents: taken over, in other words, changed, negated, and of nothing
// that stands there. Not one may be called supported, or contradicted, that is not. The goal is 51 right; the shipped
// reader is far from it (docs/reader.md).
func TestOwnClaims(t *testing.T) {
	const least = 28
	data, err := os.ReadFile(filepath.Join("testdata", "own60", "claims.jsonl"))
	require.NoError(t, err)
	by := shipped().Judge()
	right, wrong, kinds := 0, 0, map[string][2]int{}
	for line := range bytes.Lines(data) {
		var c ownClaim
		require.NoError(t, json.Unmarshal(line, &c))
		text, err := os.ReadFile(filepath.Join("testdata", "own60", c.Doc))
		require.NoError(t, err)
		got := judge.JudgeRow(judge.Row{ID: c.Claim, Claim: c.Claim, Lang: "en", Evidence: []judge.Evidence{{Doc: c.Doc, Text: string(text)}}}, by)
		require.NotNil(t, got.Verdict, got)
		verdict, n := string(*got.Verdict), kinds[c.Kind]
		n[1]++
		switch {
		case verdict == c.Verdict:
			n[0]++
			right++
		case verdict == "supported" || verdict == "contradicted":
			wrong++
			t.Logf("%s, should be %s, is %s (%.2f): %s %s", c.Kind, c.Verdict, verdict, got.Confidence, c.Claim, got.Notes)
		default:
			t.Logf("%s, should be %s, is %s (p %.2f): %s %s", c.Kind, c.Verdict, verdict, got.PSupported, c.Claim, got.Notes)
		}
		kinds[c.Kind] = n
	}
	t.Logf("right: %d of 60, wrong with confidence: %d; of each kind %v", right, wrong, kinds)
	assert.GreaterOrEqual(t, right, least)
	assert.Zero(t, wrong)
}
