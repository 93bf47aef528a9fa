package weights_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// ownClaim is a claim about a document of testdata/own60. Documents and claims were written by somebody who did not
// know the judge, and no weight or curve was found on them.
type ownClaim struct{ Doc, Claim, Verdict, Kind string }

// ownClaims are all of them.
func ownClaims(t *testing.T) (out []ownClaim) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "own60", "claims.jsonl"))
	require.NoError(t, err)
	for line := range bytes.Lines(data) {
		var c ownClaim
		require.NoError(t, json.Unmarshal(line, &c))
		out = append(out, c)
	}
	return out
}

// row is the claim over some of the documents.
func (c *ownClaim) row(t *testing.T, documents ...string) judge.Row {
	t.Helper()
	out := judge.Row{ID: c.Claim, Claim: c.Claim, Lang: "en"}
	for _, name := range documents {
		text, err := os.ReadFile(filepath.Join("testdata", "own60", name))
		require.NoError(t, err)
		out.Evidence = append(out.Evidence, judge.Evidence{Doc: name, Text: string(text)})
	}
	return out
}

// TestOwnClaims judges 60 claims over three documents: taken over, in other words, changed, negated, and of nothing
// that stands there. Not one may be called supported, or contradicted, that is not. The goal is 51 right; the shipped
// reader is far from it (docs/reader.md).
func TestOwnClaims(t *testing.T) {
	const least = 28
	by := shipped().Judge()
	right, wrong, kinds := 0, 0, map[string][2]int{}
	for _, c := range ownClaims(t) {
		got := judge.JudgeRow(c.row(t, c.Doc), by)
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

// TestOtherDocumentsDecideLittle judges the same claims alone and among the two documents that they are not about: by
// words all, with the reader one in ten. No claim becomes supported or contradicted by the others, or ceases to be; one
// at the floor may turn from weak to not found, or back (rule J-14).
func TestOtherDocumentsDecideLittle(t *testing.T) {
	t.Parallel()
	const most = 0.15 // that a probability moves
	for name, c := range map[string]struct {
		by    judge.Judge
		every int
		turn  int // at the floor
	}{
		"words": {by: judge.NewEmbedded(nil), every: 1, turn: 2}, "reader": {by: shipped().Judge(), every: 10, turn: 1},
	} {
		turned := 0
		for i, own := range ownClaims(t) {
			if i%c.every != 0 {
				continue
			}
			documents := []string{own.Doc}
			for _, other := range []string{"doc1.txt", "doc2.txt", "doc3.txt"} {
				if other != own.Doc {
					documents = append(documents, other)
				}
			}
			alone, among := judge.JudgeRow(own.row(t, own.Doc), c.by), judge.JudgeRow(own.row(t, documents...), c.by)
			require.NotNil(t, alone.Verdict, own.Claim)
			require.NotNil(t, among.Verdict, own.Claim)
			assert.LessOrEqual(t, math.Abs(alone.PSupported-among.PSupported), most, "%s: %s", name, own.Claim)
			if *alone.Verdict != *among.Verdict {
				turned++
				floor := []ledger.Verdict{ledger.Weak, ledger.NotFound}
				assert.ElementsMatch(t, floor, []ledger.Verdict{*alone.Verdict, *among.Verdict}, "%s: %s", name, own.Claim)
			}
		}
		assert.LessOrEqual(t, turned, c.turn, name)
	}
}

// TestFoundingClaims judges the four claims of the founding example over its three passages, without the matches that
// its own judge gave. The second should be supported; docs/judge.md says why it is not. What it holds is that the
// duration is not the reason: two weeks are fourteen days.
func TestFoundingClaims(t *testing.T) {
	t.Parallel()
	const notice = "Leave applications must be submitted at least 14 calendar days before the intended start date."
	passages := []judge.Evidence{
		{Doc: "hr-12", Text: "All permanent employees shall receive 15 days of paid annual leave per calendar year."},
		{Doc: "hr-15", Text: "Unused annual leave may be carried over at the discretion of the department head, " +
			"subject to operational requirements."},
		{Doc: "guidelines-3.2", Text: notice},
	}
	by := shipped().Judge()
	verdict := func(claim string, evidence ...judge.Evidence) ledger.Verdict {
		got := judge.JudgeRow(judge.Row{ID: claim, Claim: claim, Lang: "en", Evidence: evidence}, by)
		require.NotNil(t, got.Verdict, got)
		return *got.Verdict
	}
	for claim, want := range map[string]ledger.Verdict{
		"Employees are entitled to 15 days of annual leave":   ledger.Supported,
		"Leave requests must be submitted 2 weeks in advance": ledger.NotFound,
		"Unused leave can be carried forward to next year":    ledger.Weak,
		"Maximum carryover is 5 days":                         ledger.NotFound,
	} {
		assert.Equal(t, want, verdict(claim, passages...), claim)
	}
	const claim = "Leave requests must be submitted 2 weeks in advance"
	assert.Equal(t, ledger.Supported, verdict(claim,
		judge.Evidence{Doc: "d", Text: "Leave applications must be submitted 14 days in advance."}))
	assert.Equal(t, ledger.Contradicted, verdict("Leave requests must be submitted 3 weeks in advance",
		judge.Evidence{Doc: "d", Text: notice}))
}
