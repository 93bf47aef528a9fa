package main

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// TestDemoAgreement holds docs/judge.md to how often the shipped judge agrees with the verdicts that the authors of the
// demo's sessions gave: the same claims over the same documents, judged without the matches that came with them.
func TestDemoAgreement(t *testing.T) {
	given, same := 0, 0
	supported, right := 0, 0
	for _, name := range []string{"leave-policy.json", "vendor-review.json"} {
		data, err := os.ReadFile(demoFile(t, name))
		require.NoError(t, err)
		authors := judgedDemo(t, data, func(*ledger.Claim) {})
		ours := judgedDemo(t, data, func(c *ledger.Claim) { c.Given, c.Matches = false, nil })
		for i := range authors {
			if authors[i].Claim.Judge != "given" {
				continue
			}
			given++
			if authors[i].Machine == ours[i].Machine {
				same++
			}
			if ours[i].Machine == ledger.Supported {
				supported++
				if authors[i].Machine == ledger.Supported {
					right++
				}
			}
		}
	}
	doc, err := os.ReadFile("../../docs/judge.md")
	require.NoError(t, err)
	require.Contains(t, string(doc), fmt.Sprintf("agrees with the authors on %d of %d claims", same, given))
	require.Contains(t, string(doc), fmt.Sprintf("right %d of the %d times", right, supported))
}

// judgedDemo returns the entries of a demo session whose claims were changed before they were judged.
func judgedDemo(t *testing.T, data []byte, change func(*ledger.Claim)) []ledger.Entry {
	t.Helper()
	read, err := importers.Read(slices.Clone(data), importers.Options{})
	require.NoError(t, err)
	s := &read.Session
	for i := range s.Claims {
		change(&s.Claims[i])
	}
	judge.Run(s, judge.NewLexical(), time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	s.ResolveCitations(nil)
	cited := judge.Cited(s, judge.NewLexical())
	s.TakeCited(cited)
	s.Check(cited)
	return ledger.Assess(s, ledger.DefaultFreshness).Entries
}
