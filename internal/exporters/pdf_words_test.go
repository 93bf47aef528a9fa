package exporters

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/words"
)

// TestPDFWordsComplete checks that there is a word for everything that a ledger can contain.
func TestPDFWordsComplete(t *testing.T) {
	var ids []string
	for _, v := range ledger.Verdicts {
		ids = append(ids, "verdict_"+string(v))
	}
	for _, v := range ledger.ClaimTypes {
		ids = append(ids, "type_"+string(v))
	}
	for _, v := range ledger.Importances {
		ids = append(ids, "importance_"+string(v))
	}
	for _, v := range ledger.RiskTypes {
		ids = append(ids, "flag_name_"+string(v), "ask_"+string(v), "do_"+string(v))
	}
	for _, v := range ledger.Actions {
		ids = append(ids, "review_"+string(v))
	}
	for _, lang := range prose.Langs {
		for _, id := range ids {
			require.NotEqual(t, id, lang.T(id), "%s has no word for it", lang.Code)
		}
	}
}

// TestPDFNotes checks that each sentence by the judge that a ledger can contain is in both languages. It finds them by
// their ids in the judge's code. Those with words of the case are not among them.
func TestPDFNotes(t *testing.T) {
	said, english := map[string]bool{}, words.In("en")
	for id := range saidByJudge(t) {
		if s := english.Text(id); !strings.Contains(s, "{{") {
			said[s] = true
		}
	}
	said[english.Text(ledger.OtherPlace)] = true // of citations by place, which the ledger checks
	require.GreaterOrEqual(t, len(said), 11, "the sentences are looked for in the right place")
	for s := range said {
		id, ok := prose.Notes[s]
		require.True(t, ok, "%q has no word in the PDF", s)
		require.NotEqual(t, prose.Langs[0].T(id), prose.Langs[1].T(id), id)
		require.Equal(t, strings.ReplaceAll(s, "'", "’"), prose.Langs[0].T(id))
	}
	require.Len(t, prose.Notes, len(said), "a sentence that the judge doesn't say")
}

// TestPDFRemarks checks that a remark with words of the case is in the language of the part, but for these words.
func TestPDFRemarks(t *testing.T) {
	for id := range saidByJudge(t) {
		m := words.Msg(id, "Claim", "at most 3 kg", "Source", "up to 5 kg", "Word", "only", "Words", words.ListOf([]string{"lid"}))
		for i := range prose.Langs {
			p := pdfWriter{Lang: &prose.Langs[i], l: &ledger.Ledger{Session: &ledger.Session{}}}
			own := ""
			for _, s := range p.note(m) {
				if !s.Isolate {
					own += s.Text
				}
			}
			require.Equal(t, i == 1, inArabic.MatchString(own), "%s: %s", id, own)
			require.NotContains(t, own, "3 kg")
		}
	}
}

var inArabic = regexp.MustCompile(`^[^a-zA-Z]*\p{Arabic}[^a-zA-Z]*$`)

// saidByJudge are the ids of the sentences in the judge's code.
func saidByJudge(t *testing.T) map[string]bool {
	files, err := filepath.Glob("../domain/judge/*.go")
	require.NoError(t, err)
	out := map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range note.FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
	}
	return out
}

var note = regexp.MustCompile(`"(note_[a-z_]+)"`)

// TestFewClaimsAreNamed: a sentence names each claim where up to three are left over; of more it says how many there are.
func TestFewClaimsAreNamed(t *testing.T) {
	l := &ledger.Ledger{Entries: make([]ledger.Entry, 9)}
	for i := range 6 {
		l.Entries[i].Flags = []ledger.RiskType{"contradiction"}
	}
	a := ledger.Advice{Kind: "ask_contradiction", Numbers: []int{1, 2, 3}, More: 3}
	for i, want := range []string{"claims 1, 2, 3, 4, 5 and 6", "الإفادات 1 و2 و3 و4 و5 و6"} {
		p := &pdfWriter{Lang: &prose.Langs[i], l: l}
		require.Equal(t, want, p.claimList(a))
	}
	a.More = 11
	for i, want := range []string{"14 claims (1, 2, 3 and others)", "14 إفادة (منها 1 و2 و3)"} {
		p := &pdfWriter{Lang: &prose.Langs[i], l: l}
		require.Equal(t, want, p.claimList(a))
	}
}
