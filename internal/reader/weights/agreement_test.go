package weights_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// TestDemoAgreement holds docs/judge.md to how often the shipped judge agrees with the verdicts that the authors of the
// demo's sessions gave: the same claims over the same documents, judged without the matches that came with them.
func TestDemoAgreement(t *testing.T) {
	const page = "../../../docs/judge.md"
	own := shipped()
	given, same := 0, 0
	supported, right := 0, 0
	for _, name := range []string{"leave-policy.json", "vendor-review.json"} {
		authors := judged(t, own, name, func(*ledger.Claim) {})
		ours := judged(t, own, name, func(c *ledger.Claim) { c.Given, c.Matches = false, nil })
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
	t.Logf("%s: the same verdict on %d of %d claims; supported %d, right %d", own.Judge().Name(), same, given, supported, right)
	doc, err := os.ReadFile(page)
	require.NoError(t, err)
	agrees := fmt.Sprintf("agrees with the authors on %d of %d claims", same, given)
	isRight := fmt.Sprintf("right %d of the %d times", right, supported)
	if *update {
		doc = regexp.MustCompile(`agrees with the authors on \d+ of \d+ claims`).ReplaceAll(doc, []byte(agrees))
		doc = regexp.MustCompile(`right \d+ of the \d+ times`).ReplaceAll(doc, []byte(isRight))
		require.NoError(t, os.WriteFile(page, doc, 0o644))
	}
	require.Contains(t, string(doc), agrees, "run "+demo.Renew)
	require.Contains(t, string(doc), isRight, "run "+demo.Renew)
}

// judged returns the entries of a file of the demo whose claims were changed before they were judged.
func judged(t *testing.T, by *app.Embedded, name string, change func(*ledger.Claim)) []ledger.Entry {
	t.Helper()
	data, err := demo.FS.ReadFile(name)
	require.NoError(t, err)
	read, err := importers.Read(data, importers.Options{})
	require.NoError(t, err)
	for i := range read.Session.Claims {
		change(&read.Session.Claims[i])
	}
	at := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	l, err := by.Alone(&read.Session, at, func(int, int) error { return nil })
	require.NoError(t, err)
	return l.Entries
}
