package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// talk says things about the first claim of a session: "a asks", "b replies to 1", "a withdraws 1", "b resolves 1",
// "b reopens 1"; numbers are those of the reviews.
type talk struct {
	t *testing.T
	s *ledger.Session
}

func (x *talk) try(who, does string, of int) error {
	in := ledger.ReviewInput{By: who, Action: ledger.Comment, Reason: "r"}
	if of > 0 {
		in.Thread = fmt.Sprint(of)
	}
	switch does {
	case "asks":
		in.Asks = true
	case "withdraws":
		in.Action, in.Undoes = ledger.Undo, in.Thread
	case "resolves":
		in.Action = ledger.Resolve
	case "reopens":
		in.Action = ledger.Reopen
	case "confirms":
		in.Action = ledger.Confirm
	}
	_, err := x.s.AddReview(0, in, fmt.Sprint(len(x.s.Claims[0].Reviews)+1), "Name of "+who, "reviewer", at)
	return err
}

func (x *talk) say(who, does string, of int) {
	x.t.Helper()
	require.NoError(x.t, x.try(who, does, of))
}

// open returns how many threads everybody sees to be open: of the claim and of the whole ledger.
func (x *talk) open() int {
	x.t.Helper()
	l := ledger.Assess(x.s, 24)
	require.Equal(x.t, l.Summary.Threads, l.Entries[0].Threads)
	return l.Summary.Threads
}

func TestThreads(t *testing.T) {
	x := &talk{t, two(1, ledger.OneReviewer)}
	x.say("a", "says", 0) // 1
	require.Zero(t, x.open(), "a comment that asks nothing is no burden")
	require.ErrorContains(t, x.try("b", "resolves", 1), "asks nothing")
	x.say("b", "replies", 1) // 2
	require.Equal(t, 1, x.open(), "a reply makes it a thread")
	x.say("a", "replies", 2) // 3, to the reply: it belongs to the first comment
	require.Equal(t, 1, x.s.Claims[0].Reviews[2].Thread)
	x.say("c", "asks", 0) // 4
	require.Equal(t, 2, x.open())
	x.say("b", "resolves", 1) // 5
	require.Equal(t, 1, x.open())
	err := x.try("a", "resolves", 1)
	require.Equal(t, domain.Conflict, domain.KindOf(err), "two resolve it: %v", err)
	x.say("a", "replies", 1) // 6
	require.Equal(t, 1, x.open(), "a reply to a resolved thread reopens nothing")
	x.say("c", "reopens", 1) // 7
	require.Equal(t, 2, x.open())
	require.Equal(t, domain.Conflict, domain.KindOf(x.try("a", "reopens", 1)))
	x.say("c", "withdraws", 4) // 8
	require.Equal(t, 1, x.open(), "what is withdrawn asks nothing")
	require.ErrorContains(t, x.try("a", "replies", 4), "withdrawn")
	require.ErrorContains(t, x.try("a", "reopens", 4), "withdrawn")
	x.say("a", "withdraws", 1) // 9: the replies stand
	require.Equal(t, 1, x.open())
	x.say("c", "replies", 1) // 10
	require.ErrorContains(t, x.try("a", "replies", 99), "no comment with this id")
	require.ErrorContains(t, x.try("a", "resolves", 0), "no comment with this id")
	x.say("b", "resolves", 2)
	require.Zero(t, x.open())
	_, err = x.s.AddReview(0, ledger.ReviewInput{Action: ledger.Undo, By: "b"}, "undo", "b", "reviewer", at)
	require.NoError(t, err)
	require.Equal(t, 1, x.open(), "who takes back their resolution opens it again")
	require.Equal(t, "unreviewed", string(ledger.Assess(x.s, 24).Entries[0].State), "talk decides nothing")
}

// A thousand people who reply are bounded.
func TestRepliesAreBounded(t *testing.T) {
	x := &talk{t, two(1, ledger.OneReviewer)}
	x.say("a", "asks", 0)
	stored := 0
	for range 1000 {
		if err := x.try("b", "replies", 1); err == nil {
			stored++
		} else {
			require.ErrorContains(t, err, "already has 100 replies")
		}
	}
	require.Equal(t, ledger.MaxReplies, stored)
	x.say("a", "resolves", 1)
}

// Nobody learns of a sealed reply, resolution or question of another reviewer, nor can name one.
func TestThreadsOfSealedComments(t *testing.T) {
	x := &talk{t, two(1, ledger.SecondBlind)}
	x.say("a", "asks", 0)
	require.Zero(t, x.open())
	require.ErrorContains(t, x.try("b", "replies", 1), "no comment with this id")
	x.say("a", "confirms", 0)
	x.say("b", "asks", 0)
	require.Zero(t, x.open())
	x.say("b", "confirms", 0)
	require.Equal(t, 2, x.open(), "the seal has fallen")
	x.say("b", "replies", 1)
	x.s.Claims[0].Stale = len(x.s.Claims[0].Reviews) // judged again: new reviews are sealed, those open ones stay so
	x.say("b", "resolves", 1)
	x.say("a", "replies", 1)
	require.Equal(t, 2, x.open(), "it is resolved for b alone")
	seen := func(who string) []ledger.Thread {
		reviews, _ := x.s.Visible(&x.s.Claims[0], who)
		c := ledger.Claim{Reviews: reviews}
		return c.Threads()
	}
	require.False(t, seen("b")[0].Open)
	require.True(t, seen("a")[0].Open)
	require.Len(t, seen("b")[0].Replies, 1)
	require.Len(t, seen("c")[0].Replies, 1)
	x.say("a", "resolves", 1) // who doesn't see that it is resolved may resolve it too
}
