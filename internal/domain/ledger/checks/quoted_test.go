package checks_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
)

// quotationRow is a row of testdata/quotations: an answer, and what is to be found out about its quotations. Terms,
// titles, labels and scare quotes are not in the list.
type quotationRow struct {
	Half, Lang, Answer string
	Want               [][2]string
}

func quotationRows(t *testing.T) []quotationRow {
	t.Helper()
	f, err := os.Open("testdata/quotations/rows.jsonl")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	var out []quotationRow
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r quotationRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		out = append(out, r)
	}
	return out
}

// quotationSession is the session of an answer over the documents of a language.
func quotationSession(t *testing.T, lang, answer string) *ledger.Session {
	t.Helper()
	data, err := os.ReadFile("testdata/quotations/sources." + lang + ".txt")
	require.NoError(t, err)
	s := &ledger.Session{Answer: answer, Lang: lang, Claims: claims.Of(answer)}
	for i, part := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		s.Documents = append(s.Documents, ledger.Document{Position: i, Key: part[:8], Status: ledger.Ready,
			Chunks: []ledger.Chunk{{Text: part, Hash: strings.Repeat("a", 64)}}})
	}
	return s
}

// checked returns what the quotation check says of an answer.
func checked(t *testing.T, r quotationRow) [][2]string {
	t.Helper()
	s := quotationSession(t, r.Lang, r.Answer)
	checks.Run(s, nil)
	out := [][2]string{}
	for i := range s.Claims {
		for _, q := range s.Claims[i].Checks.Quotations {
			if q.Span != nil && !strings.Contains(r.Answer, "\n>") {
				require.Equal(t, q.Text, text.Slice(r.Answer, *q.Span))
			}
			out = append(out, [2]string{q.Text, string(q.Status)})
		}
	}
	return out
}

// TestQuotationSet holds the quotation check to the committed set: half of it was looked at while the rules were
// written, the other half only counts. A false alarm is an "in no source" that the row does not expect.
func TestQuotationSet(t *testing.T) {
	type score struct{ rows, right, alarms, calm, invented, caught int }
	scores := map[string]*score{}
	for _, r := range quotationRows(t) {
		key := r.Half + " " + r.Lang
		if scores[key] == nil {
			scores[key] = &score{}
		}
		s := scores[key]
		got := checked(t, r)
		invented, caught := count(r.Want), count(got)
		s.rows++
		s.invented += invented
		s.caught += min(invented, caught)
		if invented == 0 {
			s.calm++
		}
		if caught > invented {
			s.alarms++
		}
		if equalRows(got, r.Want) {
			s.right++
		} else if r.Half == "rules" {
			t.Logf("%s\n  want %v\n  got  %v", r.Answer, r.Want, got)
		}
	}
	for key, s := range scores {
		t.Logf("%s: %d of %d rows right, %d false alarms in %d rows without an invented one, %d of %d invented found",
			key, s.right, s.rows, s.alarms, s.calm, s.caught, s.invented)
		require.LessOrEqual(t, float64(s.alarms), 0.05*float64(s.rows), key)
		require.GreaterOrEqual(t, float64(s.caught), 0.8*float64(s.invented), key)
	}
}

func count(list [][2]string) (n int) {
	for _, x := range list {
		if x[1] == "not_found" {
			n++
		}
	}
	return n
}

func equalRows(got, want [][2]string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}
