package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// at is the time of every event in these tests.
var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// two returns a session of n claims, all supported, that is reviewed in a mode by A and B.
func two(n int, mode ledger.SecondReview) *ledger.Session {
	s := &ledger.Session{ID: "s", Second: mode, Seats: ledger.Seats{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}},
		Revision: 1}
	s.Documents = []ledger.Document{{Key: "d", Status: ledger.Ready,
		Chunks: []ledger.Chunk{{Key: "c", Text: "x", Hash: ledger.ChunkDigest("x")}}}}
	for i := range n {
		s.Claims = append(s.Claims,
			ledger.Claim{Key: fmt.Sprint(i), Position: i, Text: "x", Type: ledger.Fact, Importance: ledger.Material,
				Matches: []ledger.Match{{Similarity: 0.95, Support: ledger.Full, Snippet: "x"}}})
	}
	return s
}

// says makes a person review a claim: a verdict overrides, "" confirms, "undo" undoes.
func says(t *testing.T, s *ledger.Session, who string, claim int, what ledger.Verdict) ledger.Review {
	t.Helper()
	in := ledger.ReviewInput{Action: ledger.Override, Verdict: what, Reason: "r", By: who}
	switch what {
	case "":
		in = ledger.ReviewInput{Action: ledger.Confirm, By: who}
	case "undo":
		in = ledger.ReviewInput{Action: ledger.Undo, By: who}
	}
	r, err := s.AddReview(claim, in, fmt.Sprint(who, len(s.Claims[claim].Reviews)), "Name of "+who, "reviewer", at)
	require.NoError(t, err)
	return r
}

func entry(t *testing.T, s *ledger.Session, claim int) ledger.Entry {
	t.Helper()
	e, ok := s.EntryAt(claim, nil)
	require.True(t, ok)
	return e
}

func TestUndoRevokesOwnNewestReview(t *testing.T) {
	s := two(1, ledger.OneReviewer)
	says(t, s, "a", 0, "")
	says(t, s, "b", 0, ledger.Weak)
	require.Equal(t, ledger.Weak, entry(t, s, 0).Verdict)
	require.Equal(t, 1, says(t, s, "a", 0, "undo").Undoes, "a's own confirmation, although b's review is newer")
	require.Equal(t, ledger.Weak, entry(t, s, 0).Verdict)
	require.Equal(t, 2, says(t, s, "b", 0, "undo").Undoes)
	e := entry(t, s, 0)
	require.Equal(t, []any{ledger.Supported, ledger.Unreviewed, false, false},
		[]any{e.Verdict, e.State, e.Override, e.Settled})
	require.Len(t, s.Claims[0].Reviews, 4, "an undo is appended")
	for _, who := range []string{"a", "b", "c", ""} {
		_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Undo, By: who}, "x", "n", "reviewer", at)
		require.Equal(t, domain.Invalid, domain.KindOf(err), "%q has nothing left to take back", who)
	}
	require.True(t, s.Claims[0].Undone(0))
	require.False(t, s.Claims[0].Undone(2), "an undo cannot be undone")

	// an edit goes back to what was before it
	_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Edit, Importance: ledger.Critical, Type: ledger.Fact,
		By: "a"}, "e", "A", "reviewer", at)
	require.NoError(t, err)
	require.Equal(t, ledger.Critical, entry(t, s, 0).Importance)
	says(t, s, "a", 0, "undo")
	require.Equal(t, ledger.Material, entry(t, s, 0).Importance)
	says(t, s, "a", 0, "") // and may confirm again
	require.True(t, entry(t, s, 0).Settled)
}

func TestStatesOfASession(t *testing.T) {
	s := two(2, ledger.OneReviewer)
	state := func() ledger.State { l := ledger.Assess(s, 24); return l.Summary.State() }
	require.Equal(t, ledger.New, state())
	says(t, s, "a", 0, "")
	require.Equal(t, ledger.InReview, state())
	says(t, s, "a", 1, ledger.NotFound)
	require.Equal(t, ledger.Reviewed, state())
	s.Claims[0].Stale = 1 // judged again since
	require.Equal(t, ledger.InReview, state(), "a stale review settles nothing")
	says(t, s, "a", 0, "")
	require.Equal(t, ledger.Reviewed, state())
	_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.NeedsEvidence, By: "b"}, "x", "B", "reviewer", at)
	require.NoError(t, err)
	require.Equal(t, ledger.InReview, state())
}

func TestTwoReviewersAgreeDifferAndAreAdjudicated(t *testing.T) {
	s := two(1, ledger.SecondOpen)
	says(t, s, "a", 0, "")
	e := entry(t, s, 0)
	require.Equal(t, []any{ledger.Confirmed, false, false}, []any{e.State, e.Settled, e.Differs},
		"one of two settles nothing")
	says(t, s, "b", 0, ledger.Weak)
	e = entry(t, s, 0)
	require.Equal(t, []any{ledger.Weak, false, true}, []any{e.Verdict, e.Settled, e.Differs})
	require.False(t, says(t, s, "a", 0, ledger.NotFound).Adjudicates, "neither of the two can settle it")
	require.True(t, entry(t, s, 0).Differs)
	require.True(t, says(t, s, "c", 0, ledger.Contradicted).Adjudicates)
	e = entry(t, s, 0)
	require.Equal(t, []any{ledger.Contradicted, true, false}, []any{e.Verdict, e.Settled, e.Differs})
	says(t, s, "c", 0, "undo")
	require.True(t, entry(t, s, 0).Differs, "they differ again once that is undone")
	says(t, s, "b", 0, ledger.NotFound)
	e = entry(t, s, 0)
	require.Equal(t, []any{true, false}, []any{e.Settled, e.Differs}, "they agree without a third person")
	require.Equal(t, [2]ledger.Verdict{ledger.Supported, ledger.Weak}, e.FirstWords,
		"agreement is measured by what they said first")
}

func TestBlindReviewsAreSealedUntilBothHaveDecided(t *testing.T) {
	s := two(2, ledger.SecondBlind)
	says(t, s, "a", 0, ledger.Weak)
	says(t, s, "c", 0, ledger.Contradicted) // without a seat: does not unseal
	e := entry(t, s, 0)
	require.Equal(t, []any{ledger.Supported, ledger.Unreviewed, true, false},
		[]any{e.Verdict, e.State, e.Sealed, e.Settled}, "it counts for nothing")
	for who, want := range map[string]int{"a": 1, "b": 0, "c": 1, "d": 0, "": 0} {
		seen, _ := s.Visible(&s.Claims[0], who)
		require.Len(t, seen, want, who)
	}
	copied := *s
	copied.Claims = append([]ledger.Claim(nil), s.Claims...)
	copied.HideSealed("b")
	require.Equal(t, ledger.Assess(s, 24).Overview.Summary.ByVerdict,
		ledger.Assess(&copied, 24).Overview.Summary.ByVerdict, "nothing shows in the figures")
	require.Empty(t, copied.Claims[0].Reviews)
	require.Len(t, s.Claims[0].Reviews, 2)

	r := says(t, s, "b", 0, "") // confirms the machine's verdict, as b does not see a's
	require.Equal(t, ledger.Supported, r.Verdict)
	e = entry(t, s, 0)
	require.Equal(t, []any{false, true}, []any{e.Sealed, e.Differs})
	seen, _ := s.Visible(&s.Claims[0], "d")
	require.Len(t, seen, 3)
	says(t, s, "b", 0, "undo")
	require.False(t, entry(t, s, 0).Sealed, "reviews that were open are not sealed again")

	s.Seats[1] = ledger.Seat{} // an empty seat does not unseal
	says(t, s, "a", 1, "")
	require.True(t, entry(t, s, 1).Sealed)
}

func TestHiddenReviewsKeepTheirNumbers(t *testing.T) {
	s := two(1, ledger.SecondBlind)
	says(t, s, "c", 0, "")
	says(t, s, "a", 0, ledger.Weak)
	require.Equal(t, 2, says(t, s, "a", 0, "undo").Undoes)
	s.Claims[0].Stale = 2
	seen, stale := s.Visible(&s.Claims[0], "a")
	require.Equal(t, []int{0, 1}, []int{seen[0].Undoes, seen[1].Undoes})
	require.Equal(t, 1, stale)
	require.Equal(t, 2, s.Claims[0].Reviews[2].Undoes, "the session itself is unchanged")
}

func TestAgreement(t *testing.T) {
	s := two(40, ledger.SecondOpen)
	for i := range s.Claims {
		// a: 25 confirm, 15 weak; b agrees on 20 and 10: the table 20 5 / 5 10
		a, b := ledger.Supported, ledger.Supported
		if i >= 25 {
			a = ledger.Weak
		}
		if i >= 20 && i < 25 || i >= 30 {
			b = ledger.Weak
		}
		says(t, s, "b", i, b)
		says(t, s, "a", i, a)
	}
	sum := ledger.Assess(s, 24).Summary
	got := sum.Agreement()
	require.Equal(t, []int{40, 30, 10}, []int{got.Both, got.Same, sum.Differing})
	// observed 0.75, expected (25·25 + 15·15)/1600 = 0.53125
	require.InDelta(t, (0.75-0.53125)/(1-0.53125), *got.Kappa, 1e-12)
	require.Equal(t, 30, sum.Settled)

	few := two(29, ledger.SecondOpen)
	for i := range few.Claims {
		says(t, few, "a", i, "")
		says(t, few, "b", i, "")
	}
	sum = ledger.Assess(few, 24).Summary
	require.Nil(t, sum.Agreement().Kappa, "too few")
	sum.Pairs[0] = 100
	require.Nil(t, sum.Agreement().Kappa, "by chance alone they would always agree")
	require.Equal(t, ledger.Agreement{}, (&ledger.Summary{}).Agreement())
}

func TestAssign(t *testing.T) {
	s := two(1, ledger.OneReviewer)
	a, b := ledger.Seat{ID: "a"}, ledger.Seat{ID: "b"}
	for _, c := range []struct {
		seats ledger.Seats
		mode  ledger.SecondReview
		path  string
	}{
		{ledger.Seats{a, a}, ledger.SecondOpen, "second_reviewer"},
		{ledger.Seats{a, b}, ledger.OneReviewer, "second_reviewer"},
		{ledger.Seats{}, "x", "second_review"},
	} {
		var e *domain.Error
		require.ErrorAs(t, s.SetReviewers(c.seats, c.mode, at), &e)
		require.Equal(t, c.path, e.Path)
	}
	require.NoError(t, s.SetReviewers(ledger.Seats{a, b}, ledger.SecondBlind, at))
	require.Equal(t, 2, s.Revision)
	require.True(t, s.Seats.Holds("b"))
	require.False(t, s.Seats.Holds(""))
}

// Judging again asks both reviewers again: neither sees the other's reviews of the new judgement before both have
// decided, however often it changes; their reviews of the older judgement stay open.
func TestBlindReviewsAreSealedAgainAfterRejudging(t *testing.T) {
	s := two(1, ledger.SecondBlind)
	seen := func(who string) int {
		list, _ := s.Visible(&s.Claims[0], who)
		return len(list)
	}
	says(t, s, "a", 0, "")
	says(t, s, "b", 0, "")
	require.Equal(t, 2, rejudge(s, 0, false)[0].Stale)
	e := entry(t, s, 0)
	require.Equal(t, []any{true, true, ledger.Supported, ledger.Confirmed},
		[]any{e.Sealed, e.Stale, e.Verdict, e.State}, "a stale review stands")
	require.Equal(t, 2, seen("b"))
	agreed := ledger.Assess(s, 24).Summary.Pairs

	says(t, s, "a", 0, ledger.Contradicted)
	e = entry(t, s, 0)
	require.Equal(t, []any{true, ledger.Supported, true}, []any{e.Sealed, e.Verdict, e.Stale},
		"and what a says now does not, yet")
	require.Equal(t, []int{3, 2, 2, 2}, []int{seen("a"), seen("b"), seen("c"), seen("")})
	require.True(t, s.Awaits(&e, "b"))
	require.False(t, s.Awaits(&e, "a"))
	for _, who := range []string{"a", "b", ""} {
		left := *s
		left.Claims = append([]ledger.Claim(nil), s.Claims...)
		left.HideSealed(who)
		whole, is := ledger.Assess(s, 24).Overview, ledger.Assess(&left, 24).Overview
		whole.Sealed, is.Sealed = nil, nil // which readers are not shown
		require.Equal(t, whole, is, "who is given less reads the same ledger")
	}

	x := rejudge(s, 0, true) // b has not reviewed yet
	require.Zero(t, x[0].Stale, "no count reveals that a has reviewed")
	require.Equal(t, []int{3, 2, 2}, []int{seen("a"), seen("b"), seen("c")}, "sealed reviews stay sealed")
	require.Equal(t, ledger.Supported, entry(t, s, 0).Verdict)
	says(t, s, "b", 0, ledger.Weak)
	require.Equal(t, []int{3, 3, 2}, []int{seen("a"), seen("b"), seen("c")}, "a decided on the older judgement")
	says(t, s, "b", 0, "undo")
	says(t, s, "a", 0, ledger.NotFound)
	e = entry(t, s, 0)
	require.Equal(t, []any{false, ledger.NotFound, false}, []any{e.Sealed, e.Verdict, e.Settled},
		"what was taken back was said")
	require.Equal(t, 6, seen("c"))
	says(t, s, "b", 0, "")
	require.True(t, entry(t, s, 0).Settled)
	require.Equal(t, agreed, ledger.Assess(s, 24).Summary.Pairs, "first verdicts are those of the older judgement")

	other := two(1, ledger.SecondBlind)
	says(t, other, "a", 0, ledger.Weak)
	require.Zero(t, rejudge(other, 0, false)[0].Stale)
	e = entry(t, other, 0)
	require.Equal(t, []any{ledger.NotFound, ledger.Unreviewed}, []any{e.Verdict, e.State},
		"the first word of one never opened")
	says(t, other, "b", 0, "")
	require.True(t, entry(t, other, 0).Sealed)
	says(t, other, "a", 0, "")
	e = entry(t, other, 0)
	require.Equal(t, []any{false, true}, []any{e.Sealed, e.Settled})
}

// Two people without seats settle a stale claim if the two who first decided it do not.
func TestOthersMaySettleStaleClaims(t *testing.T) {
	for _, mode := range []ledger.SecondReview{ledger.SecondOpen, ledger.SecondBlind} {
		s := two(1, mode)
		s.Seats = ledger.Seats{}
		says(t, s, "a", 0, "")
		says(t, s, "b", 0, "")
		rejudge(s, 0, false)
		says(t, s, "c", 0, ledger.Weak)
		says(t, s, "d", 0, ledger.Weak)
		require.True(t, entry(t, s, 0).Settled, mode)
	}
}

// Somebody who can read the audit log can read sealed reviews, and so cannot be one of the two reviewers.
func TestReadersOfSealedReviewsGiveNoSealedVerdict(t *testing.T) {
	s := two(2, ledger.SecondBlind)
	s.Seats = ledger.Seats{}
	admin := func(claim int, action ledger.Action) error {
		_, err := s.AddReview(claim,
			ledger.ReviewInput{Action: action, Verdict: ledger.Weak, Reason: "r", By: "admin"}, "x", "Admin", "admin",
			at)
		return err
	}
	says(t, s, "a", 0, "")
	for _, action := range []ledger.Action{ledger.Confirm, ledger.Override} {
		for claim := range 2 {
			err := admin(claim, action)
			require.ErrorIs(t, err, ledger.ErrReadsAll)
			require.Equal(t, domain.Invalid, domain.KindOf(err))
		}
	}
	_, err := decide(s, several(ledger.Confirm, "b"), access.Actor{ID: "admin", Role: access.Admin})
	require.ErrorIs(t, err, ledger.ErrReadsAll)
	require.Len(t, s.Claims[0].Reviews, 1)
	require.NoError(t, admin(0, ledger.Comment))
	says(t, s, "b", 0, ledger.Contradicted)
	require.NoError(t, admin(0, ledger.Override))
	e := entry(t, s, 0)
	require.Equal(t, []any{ledger.Weak, true}, []any{e.Verdict, e.Settled}, "a third one settles it")
	rejudge(s, 0, false)
	require.ErrorIs(t, admin(0, ledger.Confirm), ledger.ErrReadsAll, "sealed again")
}
