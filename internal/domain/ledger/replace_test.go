package ledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

func TestReplace(t *testing.T) {
	s, quality := twoSources(), 0.5
	s.Documents[0].Filename, s.Documents[0].Title, s.Documents[0].PublishedAt, s.Documents[0].SourceQuality = "HR.pdf", "Leave", "2024-01-01", &quality
	affected, err := s.Replace(0, ledger.Document{ID: "new", Title: "Leave 2026", Chunks: []ledger.Chunk{{Text: "y"}}},
		"Of 2026.", rejudgedAt)
	require.NoError(t, err)
	require.Equal(t, []int{1, 0, 2}, []int{len(affected), affected[0].Position, affected[0].Stale})
	require.Equal(t, ledger.Document{
		ID: "new", Key: "A (2)", Position: 2, Supersedes: "A", Filename: "HR.pdf", Title: "Leave 2026",
		SourceQuality: &quality, Status: ledger.Ready,
		Chunks: []ledger.Chunk{{Text: "y"}},
	}, s.Documents[2], "its date was the older one's")
	require.False(t, s.Documents[0].Citable())
	require.Equal(t, "x", s.Documents[0].Chunks[0].Text, "it stays readable")
	require.Equal(t, 4, s.Revision)

	_, err = s.Replace(0, ledger.Document{}, "again", rejudgedAt)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	_, err = s.Replace(2, ledger.Document{}, "again", rejudgedAt)
	require.NoError(t, err)
	require.Equal(t, []string{"A (3)", "A (2)"}, []string{s.Documents[3].Key, s.Documents[3].Supersedes})
	require.Equal(t, 5, s.Revision)
}

// An id stays within the 200 code points that an import allows, and a session within MaxDocuments.
func TestReplaceLimits(t *testing.T) {
	s := twoSources()
	s.Documents[0].Key = strings.Repeat("م", 200)
	_, err := s.Replace(0, ledger.Document{}, "x", rejudgedAt)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("م", 190)+" (2)", s.Documents[2].Key)

	for len(s.Documents) < ledger.MaxDocuments {
		s.Documents = append(s.Documents, ledger.Document{Position: len(s.Documents), Status: ledger.Ready})
	}
	_, err = s.Replace(1, ledger.Document{}, "x", rejudgedAt)
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	require.True(t, s.Documents[1].Citable(), "nothing was changed")
}
