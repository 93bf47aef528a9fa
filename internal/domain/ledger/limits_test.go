package ledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// The limits of an import hold for a session as a whole: what is added later counts with what it has (rule SEC-9).
func TestASessionGrowsUpToItsLimits(t *testing.T) {
	chunks := func(n int, text string) ledger.Document {
		d := ledger.Document{Chunks: make([]ledger.Chunk, n)}
		for i := range d.Chunks {
			d.Chunks[i].Text = text
		}
		return d
	}
	large := strings.Repeat("a", 1<<20)
	for name, c := range map[string]struct {
		has, fits, over ledger.Document
		says            string
	}{
		"passages": {has: chunks(ledger.MaxChunks-2, ""), fits: chunks(2, ""), over: chunks(3, ""),
			says: "would have 200001 passages; the limit is 200000"},
		"text": {has: chunks(ledger.MaxText>>20-1, large), fits: chunks(1, large), over: chunks(2, large),
			says: "would have 129 MiB of text; the limit is 128"},
	} {
		t.Run(name, func(t *testing.T) {
			s := twoSources()
			s.Documents[0].Chunks, s.Documents[1].Chunks = c.has.Chunks, nil
			err := s.AddDocuments([]ledger.Document{c.over}, rejudgedAt)
			require.Equal(t, domain.TooLarge, domain.KindOf(err))
			require.ErrorContains(t, err, c.says)
			_, err = s.Replace(1, c.over, "x", rejudgedAt)
			require.ErrorContains(t, err, c.says)
			require.Len(t, s.Documents, 2, "nothing was changed")
			require.True(t, s.Documents[1].Citable(), "nothing was changed")
			require.NoError(t, s.AddDocuments([]ledger.Document{c.fits}, rejudgedAt))
		})
	}
}

func TestPassagesOfASessionAreBounded(t *testing.T) {
	s := twoSources()
	s.Claims = make([]ledger.Claim, ledger.MaxAttachedInSession/ledger.MaxAttached+1)
	for i := range s.Claims {
		s.Claims[i].Position = i
		if i == 0 {
			continue
		}
		s.Claims[i].Matches = make([]ledger.Match, ledger.MaxAttached)
		for j := range s.Claims[i].Matches {
			s.Claims[i].Matches[j].Attached = &ledger.Attached{}
		}
	}
	_, err := s.Attach(0, ledger.Match{Attached: &ledger.Attached{}}, rejudgedAt)
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	require.ErrorContains(t, err, "10000 passages are attached in this session")
	s.Claims[1].Matches = s.Claims[1].Matches[1:]
	_, err = s.Attach(0, ledger.Match{Attached: &ledger.Attached{}}, rejudgedAt)
	require.NoError(t, err)
}

func TestVersionsOfAnAnswerAreBounded(t *testing.T) {
	s := ledger.Session{AnswerVersion: ledger.MaxAnswers - 1}
	require.NoError(t, s.MayRevise())
	s.AnswerVersion++
	require.Equal(t, domain.TooLarge, domain.KindOf(s.MayRevise()))
}
