package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// Amend returns the same overview as assessing the whole session, after any sequence of reviews: random reviews by five
// people, up to two of whom have seats, with judgements that change in between.
func TestAmendEqualsAssess(t *testing.T) {
	for _, mode := range ledger.SecondReviews {
		random := rand.New(rand.NewPCG(7, uint64(len(mode))))
		amended := 0
		for range 40 {
			s := two(4, mode)
			for step := range 60 {
				if random.IntN(15) == 0 {
					s.Seats = ledger.Seats{}
					for i := range s.Seats {
						if who := random.IntN(6); mode != ledger.OneReviewer && who < 5 && !s.Seats.Holds(person(who)) {
							s.Seats[i].ID = person(who)
						}
					}
				}
				if random.IntN(12) == 0 {
					rejudge(s, random.IntN(4), random.IntN(2) == 0)
				}
				at1, in := random.IntN(4), ledger.ReviewInput{Action: ledger.Actions[random.IntN(len(ledger.Actions))],
					Reason: "r", By: person(random.IntN(5)),
					Verdict: ledger.Verdicts[random.IntN(4)], Importance: ledger.Importances[random.IntN(3)]}
				was, _ := s.EntryAt(at1, nil)
				before := ledger.Assess(s, 24).Overview
				if _, err := s.AddReview(at1, in, fmt.Sprint(step), "Name of "+in.By, "reviewer", at); err != nil {
					continue
				}
				now, _ := s.EntryAt(at1, nil)
				got, ok := before.Amend(&was, &now)
				if !ok {
					continue
				}
				amended++
				require.Equal(t, ledger.Assess(s, 24).Overview, got, "%q step %d: %+v of %+v", mode, step, in,
					s.Claims[at1].Reviews)
			}
		}
		require.Greater(t, amended, 1000)
	}
}

func person(n int) string { return string(rune('a' + n)) }

// rejudge judges a claim again, with or without evidence.
func rejudge(s *ledger.Session, claim int, found bool) []ledger.Change {
	j := *s
	j.Claims = append([]ledger.Claim(nil), s.Claims...)
	j.Claims[claim].Matches = nil
	if found {
		j.Claims[claim].Matches = two(1, s.Second).Claims[0].Matches
	}
	return s.TakeRun(&j, at)
}

// When the holder of a seat decides after two others, they replace one of them: the claim still counts once.
func TestAmendCountsAgreementOnce(t *testing.T) {
	s := two(1, ledger.SecondOpen)
	says(t, s, "x", 0, ledger.Weak)
	says(t, s, "y", 0, "") // confirms weak
	says(t, s, "x", 0, ledger.Supported)
	before, was := ledger.Assess(s, 24).Overview, entry(t, s, 0)
	require.Equal(t, 1, before.Summary.Agreement().Both)
	says(t, s, "a", 0, ledger.Supported)
	now := entry(t, s, 0)
	got, ok := before.Amend(&was, &now)
	require.False(t, ok && got.Summary.Agreement().Both != 1)
	require.Equal(t, 1, ledger.Assess(s, 24).Summary.Pairs.Agreement().Both)
}
