package sessions_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sessions"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// TestThreadsLeaveClosedSessionsClosed: a reply, a resolution and a reopening of a thread are no review of a claim: a
// closed session stays closed, as it is stored and as the log has it. A comment of its own reopens it.
func TestThreadsLeaveClosedSessionsClosed(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(3)
	h.AddSession(t, s)
	shown := func() *sessions.SessionShown {
		r, err := h.ShowSession(ctx, h.Actor, s.ID)
		require.NoError(t, err)
		return r
	}
	h.Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "Which year?", Asks: true})
	first := assessed(t, h.Store, h.Tenant.ID, s.ID).Session.Claims[0].Reviews[0].ID
	require.NoError(t, h.CloseSession(ctx, h.Actor, s.ID, "Out of scope"))
	closing := shown().Closing
	for _, in := range []ledger.ReviewInput{{Action: ledger.Comment, Reason: "This one.", Thread: first},
		{Action: ledger.Resolve, Thread: first}, {Action: ledger.Reopen, Thread: first}} {
		h.Says(t, s.ID, 0, in)
		now := shown()
		require.Equal(t, ledger.Closed, now.State, in.Action)
		require.Equal(t, closing, now.Closing)
		require.Zero(t, now.Summary.Reviewed)
		h.RequireContents(t, 1)
	}
	require.Equal(t, []string{"session.closed", "claim.reviewed", "claim.reviewed", "claim.reviewed"}, h.Happened(t, 2))
	h.Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "Another matter."})
	require.Equal(t, ledger.InReview, shown().State)
	h.RequireContents(t, 1)
}

func TestClosingAndReopening(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(4)
	h.AddSession(t, s)
	state := func() ledger.State {
		r, err := h.ShowSession(ctx, h.Actor, s.ID)
		require.NoError(t, err)
		return r.State
	}
	require.Equal(t, ledger.New, state())
	require.Equal(t, domain.Conflict, domain.KindOf(h.ReopenSession(ctx, h.Actor, s.ID)))
	require.Equal(t, domain.Invalid, domain.KindOf(h.CloseSession(ctx, h.Actor, s.ID, "  ")))
	require.NoError(t, h.CloseSession(ctx, h.Actor, s.ID, "Out of scope"))
	require.Equal(t, ledger.Closed, state())
	require.Equal(t, domain.Conflict, domain.KindOf(h.CloseSession(ctx, h.Actor, s.ID, "again")))
	home, err := h.Home(ctx, h.Actor)
	require.NoError(t, err)
	require.Empty(t, home.Queue, "a closed session waits for nobody")
	r, err := h.ShowSession(ctx, h.Actor, s.ID)
	require.NoError(t, err)
	require.Equal(t, "Out of scope", r.Closing.Reason)

	h.Says(t, s.ID, 0, dbtest.Confirm)
	require.Equal(t, ledger.InReview, state(), "a review reopens it")
	for i := 1; i < 4; i++ {
		h.Says(t, s.ID, i, dbtest.Confirm)
	}
	require.Equal(t, ledger.Reviewed, state())
	require.NoError(t, h.CloseSession(ctx, h.Actor, s.ID, ""))
	require.NoError(t, h.ReopenSession(ctx, h.Actor, s.ID))
	require.Equal(t, ledger.Reviewed, state())
	require.NoError(t, h.CloseSession(ctx, h.Actor, s.ID, ""))
	h.Assign(t, s.ID, ledger.Seats{}, ledger.SecondOpen)
	require.Equal(t, ledger.InReview, state(), "turning on a second review reopens settled claims")
	require.Equal(t, []string{"session.closed", "session.reopened", "claim.reviewed", "claim.reviewed",
		"claim.reviewed", "claim.reviewed",
		"session.closed", "session.reopened", "session.closed", "session.reopened", "session.assigned"},
		h.Happened(t, 1))
	for _, status := range ledger.States {
		rows, _, err := h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{State: status, Limit: 10})
		require.NoError(t, err)
		require.Equal(t, status == ledger.InReview, len(rows) == 1, status)
	}
	_, err = h.ShowSession(ctx, access.Actor{Tenant: uuid.NewString()}, s.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	require.Equal(t, domain.NotFound,
		domain.KindOf(h.CloseSession(ctx, access.Actor{Tenant: uuid.NewString()}, s.ID, "x")))
}

// TestMyQueue: what is late or due soonest comes first, then the most urgent, then the oldest, whichever seat is the
// reader's; the count is of all.
func TestMyQueue(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	var ids []string
	for i := range 5 {
		s := dbtest.SizedSession(2 + i)
		h.AddSession(t, s)
		var seats ledger.Seats
		if i < 4 {
			seats[i%2] = ledger.Seat{ID: "me"}
		}
		h.Assign(t, s.ID, seats, ledger.SecondOpen)
		ids = append(ids, s.ID)
	}
	claims := func(q ledger.Queue) (out []int) {
		for i := range q.Rows {
			out = append(out, q.Rows[i].Claims)
		}
		return out
	}
	queue := func(who string, limit int) ledger.Queue {
		q, err := h.MyQueue(ctx, h.Tenant.ID, who, limit)
		require.NoError(t, err)
		return q
	}
	byRisk := claims(queue("me", 10))
	require.ElementsMatch(t, []int{2, 3, 4, 5}, byRisk)
	for i, day := range map[int]string{1: "2026-12-31", 2: "2026-12-01"} {
		_, err := h.SetDue(ctx, h.Actor, dbtest.DueChange(notify.Session, ids[i], day))
		require.NoError(t, err)
	}
	got := claims(queue("me", 10))
	require.Equal(t, []int{4, 3}, got[:2], "what is due first comes first")
	require.Equal(t, slices.DeleteFunc(byRisk, func(n int) bool { return n == 3 || n == 4 }), got[2:], "then as before")
	first := queue("me", 1)
	require.Equal(t, []int{4}, claims(first))
	require.Equal(t, 4, first.Waiting)
	for most, want := range map[int]int{2: 2, 9: 3} {
		n, err := h.Waiting(ctx, h.Tenant.ID, "me", ids[2], most)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	listed, _, err := h.Sessions(ctx, h.Tenant.ID,
		ledger.SessionQuery{Assigned: ledger.AssignedMe, Reader: "me", Limit: 10})
	require.NoError(t, err)
	require.Len(t, listed, 4)
	for _, who := range []string{"", "somebody"} {
		require.Zero(t, queue(who, 10))
	}
	free, err := h.FreeSessions(ctx, h.Actor, 10)
	require.NoError(t, err)
	require.Equal(t, 3, free.Waiting, "two whose first seat is free, and the one that nobody has")
	free, err = h.FreeSessions(ctx, access.Actor{Tenant: h.Tenant.ID, ID: "me"}, 10)
	require.NoError(t, err)
	require.Equal(t, 1, free.Waiting, "who has the second seat does not take the first")
	for most, want := range map[int]int{2: 2, 9: 3} {
		n, err := h.Free(ctx, h.Actor, most)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
}

// TestStoredFiguresEqualAssessingTheWhole checks that after random reviews the stored values equal those of assessing
// the whole session.
func TestStoredFiguresEqualAssessingTheWhole(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	for _, mode := range ledger.SecondReviews {
		s := dbtest.SizedSession(6)
		h.AddSession(t, s)
		var seats ledger.Seats
		if mode != ledger.OneReviewer {
			seats = ledger.Seats{{ID: "a"}, {ID: "b"}}
		}
		h.Assign(t, s.ID, seats, mode)
		for i := range 60 {
			in := ledger.ReviewInput{
				Action: ledger.Actions[(i*7+i/6)%len(ledger.Actions)], Verdict: ledger.Verdicts[i%4],
				Reason: "r", Importance: ledger.Importances[i%3],
			}
			who := h.As(string(rune('a' + i%3)))
			_, err := who.Review(ctx, who.Actor, s.ID, db.ReviewRequest{
				Decision: ledger.Decision{ReviewInput: in, Claim: i % 6, At: dbtest.Now, NewID: uuid.NewString},
			})
			if err != nil {
				require.Equal(t, domain.Invalid, domain.KindOf(err), fmt.Sprint(i, in.Action))
			}
			l := assessed(t, h.Store, h.Tenant.ID, s.ID)
			page := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 10)
			want := l.Head()
			want.Sealed = nil // which readers are not shown
			require.Equal(t, want, page.Overview, "%s step %d", mode, i)
			shown, err := h.ShowSession(ctx, h.Actor, s.ID)
			require.NoError(t, err)
			require.Equal(t, []int{l.Summary.Settled, l.Summary.Differing}, []int{shown.Settled, shown.Differing})
			require.Equal(t, l.Summary.Total-l.Summary.Settled, pageOf(t, h, s.ID, ledger.ClaimFilter{
				Unsettled: true, Uncited: false,
			}, -1, 10).Matching)
		}
	}
}

// TestReviewReadsItsClaimOnly checks that a review reads one claim only, also one that changes the verdict; unless
// other claims may get or lose a flag by it, here because the mean confidence falls below the limit: then it reads the
// whole session.
func TestReviewReadsItsClaimOnly(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(300)
	h.AddSession(t, s)
	for _, c := range []struct {
		in    ledger.ReviewInput
		whole bool
	}{
		{dbtest.Confirm, false}, {ledger.ReviewInput{
			Action: ledger.Comment, Reason: "x",
		}, false}, {ledger.ReviewInput{Action: ledger.Undo}, false},
		{ledger.ReviewInput{Action: ledger.NeedsEvidence}, false}, {ledger.ReviewInput{
			Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "x",
		}, false},
		{ledger.ReviewInput{Action: ledger.Undo}, false},
	} {
		c.in.By = h.Actor.ID
		whole := false
		stop := h.Trace(func(query string, _ []any) { whole = whole || strings.Contains(query, "answer_parts") })
		l, err := h.Review(ctx, h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: c.in, Claim: 7, At: dbtest.Now, NewID: uuid.NewString,
		}})
		stop()
		require.NoError(t, err)
		require.Equal(t, c.whole, whole, c.in.Action)
		require.Equal(t, assessed(t, h.Store, h.Tenant.ID, s.ID).Summary, l.Summary)
	}
	_, err := h.Review(ctx, h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: dbtest.Confirm, Claim: 300, At: dbtest.Now, NewID: uuid.NewString,
	}})
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestClosedByAMachine(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(4)
	h.AddSession(t, s)
	k, err := h.AddToken(ctx, access.AtCommandLine(h.Tenant.ID), access.Token{
		Name: "nightly", Role: access.Reviewer, Hash: "h", ExpiresAt: time.Now().AddDate(1, 0, 0),
	})
	require.NoError(t, err)
	require.NoError(t, h.CloseSession(ctx, access.Actor{
		ID: k.ID, Tenant: h.Tenant.ID, Role: access.Reviewer,
	}, s.ID, "Out of scope"))
	r, err := h.ShowSession(ctx, h.Actor, s.ID)
	require.NoError(t, err)
	require.Equal(t, "nightly", r.Closing.By, "a machine is identified by its token's name")
}

// TestMyQueueInDoubleReview checks that in a double review, a claim decided by one reviewer waits for the other.
func TestMyQueueInDoubleReview(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(2)
	h.AddSession(t, s)
	h.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	waits := func(who string) bool {
		t.Helper()
		queue, err := h.MyQueue(ctx, h.Tenant.ID, who, 10)
		require.NoError(t, err)
		rows := queue.Rows
		listed, _, err := h.Sessions(ctx, h.Tenant.ID,
			ledger.SessionQuery{Assigned: ledger.AssignedMe, Reader: who, State: ledger.StateOpen, Limit: 10})
		require.NoError(t, err)
		require.Len(t, listed, len(rows), "the list behind it is the same")
		all, _, err := h.Sessions(ctx, h.Tenant.ID,
			ledger.SessionQuery{Assigned: ledger.AssignedMe, Reader: who, Limit: 10})
		require.NoError(t, err)
		require.Len(t, all, 1)
		return len(rows) == 1
	}
	h.As("a").Says(t, s.ID, 0, dbtest.Confirm)
	require.True(t, waits("a"), "one claim is left")
	h.As("a").Says(t, s.ID, 1, dbtest.Confirm)
	require.Equal(t, []bool{false, true}, []bool{waits("a"), waits("b")})
	h.As("a").Says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Undo})
	require.True(t, waits("a"))
	h.As("a").Says(t, s.ID, 1, dbtest.Confirm)
	h.JudgeAgain(t, s.ID, "run-2")
	require.Equal(t, []bool{true, true}, []bool{waits("a"), waits("b")}, "judged again: both must review again")
}

// TestMeanThatFallsFlagsOthers overrides claims until the mean confidence of the rest is below the limit of the flag of
// low confidence, which then lists other claims too.
func TestMeanThatFallsFlagsOthers(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(12)
	for i := range s.Claims {
		c := &s.Claims[i]
		if len(c.Matches) == 0 {
			c.Matches = []ledger.Match{{Snippet: "employees may take"}}
		}
		c.Matches[0].Support, c.Matches[0].Contradicts = ledger.Full, false
		c.Matches[0].Similarity = []float64{0.98, 0.70, 0.56}[i%3] // of weak claims the confidence is less
	}
	h.AddSession(t, s)
	listed := func(l *ledger.Ledger) int {
		for _, f := range l.Flags {
			if f.Type == ledger.LowConfidence {
				return f.Count
			}
		}
		return 0
	}
	require.Equal(t, 4, listed(assessed(t, h.Store, h.Tenant.ID, s.ID)))
	for i := 0; i < 12; i += 3 {
		_, err := h.Review(context.Background(), h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "x"},
			Claim:       i, At: dbtest.Now, NewID: uuid.NewString,
		}})
		require.NoError(t, err)
		l := assessed(t, h.Store, h.Tenant.ID, s.ID)
		require.Equal(t, l.Head(), pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 12).Overview)
	}
	require.Equal(t, 8, listed(assessed(t, h.Store, h.Tenant.ID, s.ID)))
}

// assessed returns the whole ledger of a session with its sealed reviews, after checking that the stored values of each
// claim equal the ledger's.
func assessed(t *testing.T, s *db.Store, tenant, id string) *ledger.Ledger {
	t.Helper()
	var l ledger.Ledger
	err := s.Read(context.Background(), "Assessed", func(t *sqldb.Tx) error {
		h, stored, err := sessions.LoadSession(t, tenant, id)
		if err != nil {
			return err
		}
		l = ledger.Assess(&h.Session, ledger.DefaultFreshness)
		if !maps.Equal(h.Overview.Sealed, l.Sealed) {
			return fmt.Errorf("sealed reviews are stored as %v and assessed as %v", h.Overview.Sealed, l.Sealed)
		}
		for i := range l.Entries {
			if now := sessions.DerivedOf(&l.Entries[i]); now != stored[i] {
				return fmt.Errorf("claim %d is stored as %+v and assessed as %+v", i, stored[i], now)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &l
}
