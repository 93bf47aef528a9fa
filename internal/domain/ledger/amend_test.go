package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// Amend returns the same overview as assessing the whole session, after any sequence of reviews: random reviews by five
// people, up to two of whom have seats, with judgements that change in between.
func TestAmendEqualsAssess(t *testing.T) {
	for _, mode := range ledger.SecondReviews {
		random := rand.New(rand.NewPCG(7, uint64(len(mode))))
		amended, refused, changed := 0, 0, 0
		for range 50 {
			s := mixed(random, mode)
			for step := range 80 {
				if random.IntN(15) == 0 {
					s.Seats = ledger.Seats{}
					for i := range s.Seats {
						if who := random.IntN(6); mode != ledger.OneReviewer && who < 5 && !s.Seats.Holds(person(who)) {
							s.Seats[i].ID = person(who)
						}
					}
				}
				if random.IntN(12) == 0 {
					rejudge(s, random.IntN(len(s.Claims)), random.IntN(2) == 0)
				}
				at1, in := random.IntN(len(s.Claims)), ledger.ReviewInput{Action: ledger.Actions[random.IntN(len(ledger.Actions))],
					Reason: "r", By: person(random.IntN(5)),
					Verdict: ledger.Verdicts[random.IntN(4)], Importance: ledger.Importances[random.IntN(3)]}
				if all := s.Claims[at1].Reviews; len(all) > 0 && random.IntN(2) == 0 {
					in.Thread = all[random.IntN(len(all))].ID
				}
				in.Asks = random.IntN(2) == 0
				l := ledger.Assess(s, 24)
				was, before := l.Entries[at1], l.Overview
				cut := random.IntN(2) == 0
				if cut { // as the store keeps it
					before = l.Head()
				}
				if _, err := s.AddReview(at1, in, fmt.Sprint(step), "Name of "+in.By, "reviewer", at); err != nil {
					continue
				}
				now, _ := s.EntryAt(at1, nil)
				got, ok := before.Amend(&was, &now, known(t, &l, at1, before.AmendAsks(&was, &now)))
				if !ok {
					refused++
					continue
				}
				amended++
				want := ledger.Assess(s, 24)
				require.Equal(t, want.Entries[at1].Flags, now.Flags)
				if now.Verdict != was.Verdict {
					changed++
				}
				if cut {
					got, want.Overview = (&ledger.Ledger{Overview: got}).Head(), want.Head()
				}
				require.Equal(t, want.Overview, got, "%q step %d: %+v of %+v", mode, step, in,
					s.Claims[at1].Reviews)
			}
		}
		t.Logf("%q: %d amended, %d of them with another verdict, %d refused", mode, amended, changed, refused)
		require.Greater(t, amended, 1000)
		require.Greater(t, changed, 30)
	}
}

// mixed returns a session of nine claims with every flag that a review can change, or whose severity it can.
func mixed(random *rand.Rand, mode ledger.SecondReview) *ledger.Session {
	s := two(9, mode)
	for i := range s.Claims {
		c := &s.Claims[i]
		c.Importance = ledger.Importances[random.IntN(3)]
		m := &c.Matches[0]
		m.Similarity = 0.3 + 0.65*random.Float64()
		switch random.IntN(5) {
		case 0:
			m.Support, m.Contradicts = ledger.None, true
		case 1:
			m.Support = ledger.Partial
		case 2:
			c.Matches = nil
		case 3:
			c.Checks.Citations = []ledger.CitationCheck{{Anchor: "[1]", Status: ledger.Elsewhere}}
		}
	}
	return s
}

// known answers from an assessed ledger what the store knows of the claims beside one.
func known(t *testing.T, l *ledger.Ledger, but int, asks ledger.AmendAsks) ledger.OtherClaims {
	out := ledger.OtherClaims{Next: map[ledger.RiskType]*ledger.FlagClaim{}}
	for i := len(l.Entries) - 1; asks.Sum && i >= 0; i-- { // in another order
		if e := &l.Entries[i]; !e.Override && !e.Unjudged() && !e.State.Aside() {
			out.Sum += e.Confidence
		}
	}
	for f, after := range asks.Next {
		for i := range l.Entries {
			if e := &l.Entries[i]; out.Next[f] == nil && i > after && i != but && slices.Contains(e.Flags, f) {
				out.Next[f] = &ledger.FlagClaim{Key: e.Claim.Key, Position: i, Text: e.Claim.Text}
			}
		}
		require.NotNil(t, out.Next[f], "the flag's count says that there is another claim")
	}
	return out
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
	l := ledger.Assess(s, 24)
	before, was := l.Overview, l.Entries[0]
	require.Equal(t, 1, before.Summary.Agreement().Both)
	says(t, s, "a", 0, ledger.Supported)
	now := entry(t, s, 0)
	got, ok := before.Amend(&was, &now, known(t, &l, 0, before.AmendAsks(&was, &now)))
	require.False(t, ok && got.Summary.Agreement().Both != 1)
	require.Equal(t, 1, ledger.Assess(s, 24).Summary.Pairs.Agreement().Both)
}

// BenchmarkAmend is one review of 100,000 claims: its overview amended, and computed of all claims again.
func BenchmarkAmend(b *testing.B) {
	claims := make([]ledger.Claim, 100_000)
	for i := range claims {
		claims[i] = claim(match(i%2, 0.9, ledger.Full), match(1-i%2, 0.87, ledger.Partial))
	}
	s := session(claims...)
	l := ledger.Assess(s, 24)
	was, others := l.Entries[7], ledger.OtherClaims{}
	for i := range l.Entries {
		others.Sum += l.Entries[i].Confidence
	}
	_, err := s.AddReview(7, ledger.ReviewInput{Action: ledger.Confirm, By: "a"}, "r", "Name", "reviewer", at)
	require.NoError(b, err)
	b.Run("amended", func(b *testing.B) {
		for b.Loop() {
			now, _ := s.EntryAt(7, nil)
			_, ok := l.Amend(&was, &now, others)
			require.True(b, ok)
		}
	})
	b.Run("assessed", func(b *testing.B) {
		for b.Loop() {
			ledger.Assess(s, 24)
		}
	})
}
