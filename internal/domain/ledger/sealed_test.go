package ledger_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// readers are five people and somebody who never reviews.
var readers = []string{"a", "b", "c", "d", "e", ""}

// seenBy returns what a person is shown of a session, and the revision that they are shown.
func seenBy(t *testing.T, s *ledger.Session, person string) (content string, revision int) {
	t.Helper()
	left := *s
	left.Claims = append([]ledger.Claim(nil), s.Claims...)
	left.HideSealed(person)
	revision = left.Revision
	require.Equal(t, s.RevisionFor(person), revision)
	l := ledger.Assess(&left, 24)
	whole := ledger.Assess(s, 24)
	l.Sealed, whole.Sealed, left.SealedBy, left.Revision = nil, nil, nil, 0
	require.Equal(t, whole.Overview, l.Overview, "everybody reads the same figures")
	out, err := json.Marshal([]any{left, l.Overview, l.Summary.State()})
	require.NoError(t, err)
	return string(out), revision
}

// randomStep changes a session in one of the ways that there are. It returns who reviewed, "" if it was no review.
func randomStep(t *testing.T, random *rand.Rand, s *ledger.Session, n int) (reviewer string, ok bool) {
	t.Helper()
	moment := at.Add(time.Duration(n) * time.Minute)
	next := 0
	id := func() string { next++; return fmt.Sprintf("%d-%d", n, next) }
	who := person(random.IntN(5))
	step := func(s *ledger.Session, d ledger.Decision) bool {
		l := ledger.Assess(s, 24)
		d.At, d.NewID = moment, id
		_, err := l.Decide(&d, as(who), true)
		return err == nil
	}
	switch random.IntN(12) {
	case 0: // another mode, other seats
		var seats ledger.Seats
		mode := ledger.SecondReviews[min(2, random.IntN(5))]
		for i := range seats {
			if p := random.IntN(8); mode != ledger.OneReviewer && p < 5 && !seats.Holds(person(p)) {
				seats[i].ID = person(p)
			}
		}
		return "", s.SetReviewers(seats, mode, moment) == nil
	case 1:
		j := *s
		j.Claims = append([]ledger.Claim(nil), s.Claims...)
		at1 := random.IntN(len(j.Claims))
		if j.Claims[at1].Matches = nil; random.IntN(2) == 0 {
			j.Claims[at1].Matches = two(1, s.Second).Claims[0].Matches
		}
		s.TakeRun(&j, moment)
		return "", true
	case 2:
		return who, step(s, several(ledger.Confirm, fmt.Sprint("batch", n%3)))
	case 3:
		return who, step(s, several(ledger.Undo, fmt.Sprint("batch", random.IntN(3))))
	}
	in := ledger.ReviewInput{Action: ledger.Actions[random.IntN(len(ledger.Actions))], Reason: "r", By: who,
		Verdict: ledger.Verdicts[random.IntN(4)], Importance: ledger.Importances[random.IntN(3)]}
	claim := random.IntN(4)
	if all := s.Claims[claim].Reviews; len(all) > 0 && random.IntN(2) == 0 { // perhaps one that they can't see
		in.Thread = all[random.IntN(len(all))].ID
	}
	in.Asks = random.IntN(2) == 0
	_, err := s.AddReview(claim, in, id(), as(who).User, "reviewer", moment)
	return who, err == nil
}

// Whatever happens to a session, each reader is shown a revision that grows exactly when they are shown something else
// (rule L-35).
func TestShownRevisionGrowsWithWhatIsShown(t *testing.T) {
	hidden, unseen := 0, 0
	for seed := range 30 {
		random := rand.New(rand.NewPCG(35, uint64(seed)))
		s := two(4, ledger.SecondBlind)
		ever := map[string]string{} // what each reader was shown under each revision
		was, shown := map[string]string{}, map[string]int{}
		for _, r := range readers {
			was[r], shown[r] = seenBy(t, s, r)
		}
		for n := range 80 {
			reviewer, ok := randomStep(t, random, s, n)
			if !ok {
				continue
			}
			require.Equal(t, ledger.Assess(s, 24).Sealed, s.SealedBy, "the count is kept")
			for _, r := range readers {
				content, revision := seenBy(t, s, r)
				where := fmt.Sprintf("seed %d, step %d, reader %q, reviewer %q", seed, n, r, reviewer)
				if content == was[r] && reviewer != "" && reviewer != r {
					require.Equal(t, shown[r], revision, "%s: a hidden review tells nothing", where)
					unseen++
				} else {
					require.Greater(t, revision, shown[r], where)
				}
				key := fmt.Sprint(r, revision)
				if earlier, again := ever[key]; again {
					require.Equal(t, earlier, content, where)
				}
				ever[key], was[r], shown[r] = content, content, revision
			}
			hidden = max(hidden, s.SealedBy.From(""))
		}
	}
	require.Greater(t, hidden, 5)
	require.Greater(t, unseen, 500)
}

// A revised answer begins at revision 1 for whoever is shown no sealed review, and higher for their authors.
func TestRevisedAnswerBeginsAtOne(t *testing.T) {
	s := two(2, ledger.SecondBlind)
	says(t, s, "a", 0, "")
	says(t, s, "a", 1, "")
	says(t, s, "b", 1, "")
	next := s.Revise("Another answer.", []ledger.Claim{{Text: s.Claims[0].Text}, {Text: "New."}}, at).Session
	require.Equal(t, []int{2, 1, 1}, []int{next.RevisionFor("a"), next.RevisionFor("b"), next.RevisionFor("")})
}
