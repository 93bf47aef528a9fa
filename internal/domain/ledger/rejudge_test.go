package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

var rejudgedAt = time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)

// twoSources returns a session of three claims: the first has evidence in document 0, the second in document 1, the
// third has none.
func twoSources() *ledger.Session {
	match := func(document int) []ledger.Match {
		return []ledger.Match{{Chunk: ledger.ChunkRef{Document: document}, Similarity: 0.9, Support: ledger.Full}}
	}
	s := &ledger.Session{ID: "s", Revision: 3, Run: ledger.Run{ID: "run-1", Judge: "given"}}
	for i := range 2 {
		s.Documents = append(s.Documents,
			ledger.Document{ID: string(rune('a' + i)), Key: string(rune('A' + i)), Position: i, Status: ledger.Ready,
				Chunks: []ledger.Chunk{{Text: "x", Hash: "0123456789abcdef"}}})
	}
	s.Claims = []ledger.Claim{{Position: 0, Matches: match(0)}, {Position: 1, Matches: match(1)}, {Position: 2}}
	for i := range s.Claims {
		s.Claims[i].Reviews = []ledger.Review{{Actor: "Noura", Action: ledger.Confirm, Verdict: ledger.Supported},
			{Actor: "Noura", Action: ledger.Comment, Reason: "x"}}
	}
	return s
}

// rejudged returns a copy in which the first claim's verdict changes, the second only gains confidence, and the third
// gains evidence.
func rejudged(s *ledger.Session) *ledger.Session {
	j := *s
	j.Run = ledger.Run{ID: "run-2", Judge: "lexical", At: rejudgedAt}
	j.Claims = append([]ledger.Claim(nil), s.Claims...)
	j.Claims[0].Matches = nil
	j.Claims[1].Matches = []ledger.Match{{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 0.95, Support: ledger.Full}}
	j.Claims[2].Matches = []ledger.Match{{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 0.5,
		Support: ledger.Partial}}
	for i := range j.Claims {
		j.Claims[i].Judge, j.Claims[i].Reviews = "lexical", nil // the copy's reviews do not matter
	}
	return &j
}

func TestTakeRun(t *testing.T) {
	s := twoSources()
	changes := s.TakeRun(rejudged(s), rejudgedAt)
	stance := func(document int, support ledger.Support) []ledger.Stance {
		return []ledger.Stance{{Chunk: ledger.ChunkRef{Document: document}, Support: support}}
	}
	require.Equal(t, []ledger.Change{
		{Position: 0, From: ledger.Supported, To: ledger.NotFound, FromConfidence: 0.9, Gained: []ledger.Stance{},
			Lost: stance(0, ledger.Full), Stale: 2},
		{Position: 1, From: ledger.Supported, To: ledger.Supported, FromConfidence: 0.9, ToConfidence: 0.95,
			Gained: []ledger.Stance{}, Lost: []ledger.Stance{}},
		{Position: 2, From: ledger.NotFound, To: ledger.Weak, ToConfidence: 0.4, Gained: stance(1, ledger.Partial),
			Lost: []ledger.Stance{}, Stale: 2},
	}, changes)
	require.Equal(t, []any{4, rejudgedAt, "run-2"}, []any{s.Revision, s.UpdatedAt, s.Run.ID})

	l := ledger.Assess(s, ledger.DefaultFreshness)
	require.Equal(t, 2, l.Summary.Stale)
	for i, stale := range []bool{true, false, true} {
		require.Len(t, s.Claims[i].Reviews, 2, "no review is dropped")
		require.Equal(t, stale, l.Entries[i].Stale)
		require.Equal(t, ledger.Supported, l.Entries[i].Verdict, "a stale review remains in force")
	}
	require.Empty(t, s.TakeRun(s, rejudgedAt), "the same run again changes nothing")
	require.Equal(t, 2, ledger.Assess(s, ledger.DefaultFreshness).Summary.Stale)

	_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Confirm}, "r", "Noura", "reviewer", rejudgedAt)
	require.NoError(t, err, "a stale claim may be confirmed again by the same person")
	require.Equal(t, 1, ledger.Assess(s, ledger.DefaultFreshness).Summary.Stale)
	_, err = s.AddReview(1, ledger.ReviewInput{Action: ledger.Confirm}, "r", "Noura", "reviewer", rejudgedAt)
	require.Error(t, err, "a current confirmation cannot be repeated")
}

// A claim that can no longer be judged flips to unjudged, and back.
func TestTakeRunWithUnjudgedClaims(t *testing.T) {
	s := twoSources()
	j := rejudged(s)
	j.Claims = append([]ledger.Claim(nil), s.Claims...)
	j.Claims[1].Unjudged, j.Claims[1].Matches = "The judge failed.", nil
	changes := s.TakeRun(j, rejudgedAt)
	require.Len(t, changes, 1)
	require.Equal(t, []ledger.Verdict{ledger.Supported, ledger.Unjudged},
		[]ledger.Verdict{changes[0].From, changes[0].To})
	require.Equal(t, ledger.Supported, ledger.Assess(s, 24).Entries[1].Verdict, "the review remains in force")
}

func TestSameInput(t *testing.T) {
	s := twoSources()
	copied := rejudged(s)
	copied.Run.ID = "run-1"
	require.True(t, s.SameInput(copied))
	s.Claims[0].Reviews = nil
	require.True(t, s.SameInput(copied), "reviews are not part of the input")
	copied.Run.ID = "other"
	require.False(t, s.SameInput(copied))
	copied.Run.ID = "run-1"
	copied.Documents = append([]ledger.Document(nil), s.Documents...)
	copied.Documents[1].Status = ledger.Deleted
	require.False(t, s.SameInput(copied))
}

func TestWithdraw(t *testing.T) {
	s := twoSources()
	own := ledger.Place{DocumentID: "A", Digest: "x"}
	far := ledger.Place{SessionID: "other", DocumentID: "z", Digest: "x"}
	s.Claims[0].Citations = []ledger.Citation{{Hash: "0123456789", Status: ledger.Resolved,
		Places: []ledger.Place{own}}}
	s.Claims[1].Citations = []ledger.Citation{{Hash: "0123456789", Status: ledger.Resolved,
		Places: []ledger.Place{own, far}}}
	affected, done := s.Withdraw(0, "It was a draft.", rejudgedAt)
	require.True(t, done)
	require.Len(t, affected, 1)
	require.Equal(t, []any{0, 2, ledger.Supported}, []any{affected[0].Position, affected[0].Stale, affected[0].To})
	require.Equal(t, []any{ledger.Unresolved, 0},
		[]any{s.Claims[0].Citations[0].Status, len(s.Claims[0].Citations[0].Places)})
	require.Equal(t, []any{ledger.Resolved, 1},
		[]any{s.Claims[1].Citations[0].Status, len(s.Claims[1].Citations[0].Places)}, "it is cited elsewhere too")
	l := ledger.Assess(s, ledger.DefaultFreshness)
	require.True(t, l.Entries[0].Affected())
	require.False(t, l.Entries[1].Affected())
	require.Equal(t, 1, l.Summary.Stale)
	require.Equal(t, "It was a draft.", s.Documents[0].Withdrawn)
	_, done = s.Withdraw(0, "again", rejudgedAt)
	require.False(t, done)
	_, done = s.Withdraw(7, "none", rejudgedAt)
	require.False(t, done)
}
