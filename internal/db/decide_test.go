package db_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// as returns the fixture acting as another person.
func (h *fixture) as(id string) *fixture {
	other := *h
	other.actor = domain.Actor{Tenant: h.tenant.ID, ID: id, User: "Name of " + id, Role: domain.Reviewer}
	return &other
}

// says reviews a claim as the fixture's person.
func (h *fixture) says(t *testing.T, id string, position int, in ledger.ReviewInput) {
	t.Helper()
	in.By = h.actor.ID
	_, err := h.review(id, position, in)
	require.NoError(t, err)
}

func (h *fixture) assign(t *testing.T, id string, seats ledger.Seats, mode ledger.SecondReview) {
	t.Helper()
	_, err := h.Reassign(context.Background(), h.actor, id, func(s *ledger.Session) (*ledger.Ledger, error) {
		err := s.SetReviewers(seats, mode, now)
		return assess(s), err
	})
	require.NoError(t, err)
}

// happened lists the tenant's log events after the first skip ones.
func (h *fixture) happened(t *testing.T, skip int64) (out []string) {
	t.Helper()
	events, err := h.Events(context.Background(), h.tenant.ID, skip, 1000)
	require.NoError(t, err)
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}

var confirm = ledger.ReviewInput{Action: ledger.Confirm}

func TestBulkIsOneStepAndOneEventPerReview(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(40)
	h.insert(t, s)
	who := ledger.Seat{ID: h.actor.ID, Name: h.actor.User}
	var plan ledger.Plan
	l, err := h.ReviewMatching(ctx, h.actor, s.ID, ledger.ClaimFilter{
		Verdict: ledger.Weak, Text: "employees",
	}, "", func(s *ledger.Session, positions []int) (*ledger.Ledger, *db.Receipt, error) {
		plan = s.PlanConfirm(positions, who.ID)
		err := s.ConfirmAll(plan, who, "reviewer", "b1", uuid.NewString, now)
		return assess(s), nil, err
	})
	require.NoError(t, err)
	require.Len(t, plan.Confirm, 10)
	require.Equal(t, 10, l.Summary.Settled)
	require.Len(t, h.happened(t, 1), 10)
	got, err := h.Session(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, l, assess(got), "what is stored is what was assessed")
	require.Equal(t, "b1", got.Claims[1].Reviews[0].Batch)

	left, err := h.Confirmable(ctx, h.actor, s.ID, ledger.ClaimFilter{Unsettled: true}, 10)
	require.NoError(t, err)
	require.Equal(t, []int{30, 0, 0, 10}, []int{left.Count, left.Unjudged, left.Decided, len(left.First)})
	require.Equal(t, got.Revision, left.Session.Revision)
	none, err := h.Confirmable(ctx, h.actor, s.ID, ledger.ClaimFilter{Text: "…"}, 10)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 0}, []int{none.Count, none.Unjudged, none.Decided, len(none.First)})

	_, err = h.UpdateSession(ctx, h.actor, s.ID, db.ClaimReviewed(s.ID, 0, ledger.Undo),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			done, err := s.UndoAll("b1", who, "reviewer", uuid.NewString, now)
			require.Len(t, done, 10)
			return assess(s), nil, err
		})
	require.NoError(t, err)
	page := h.page(t, s.ID, ledger.ClaimFilter{Unsettled: true}, -1, 50)
	require.Equal(t, 40, page.Matching)
	require.Len(t, h.happened(t, 1), 20)
	var details map[string]any
	events, err := h.Events(ctx, h.tenant.ID, 20, 1)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(events[0].Bytes, &details))
	require.Contains(t, string(events[0].Bytes), `"undoes":1`)
}

// TestConfirmableEqualsConfirming checks that the preview equals what confirming does, after random reviews.
func TestConfirmableEqualsConfirming(t *testing.T) {
	random, people := rand.New(rand.NewPCG(1, 2)), []string{"a", "b", "c"}
	actions := []ledger.Action{ledger.Confirm, ledger.Confirm, ledger.Override, ledger.Override, ledger.NeedsEvidence,
		ledger.Comment, ledger.Undo}
	kinds := map[string]int{} // number of claims of each kind
	for _, mode := range ledger.SecondReviews {
		h := newFixture(t)
		s := sizedSession(12)
		s.Claims[5].Matches, s.Claims[5].Unjudged = nil, "timeout"
		h.insert(t, s)
		h.assign(t, s.ID, ledger.Seats{{ID: "a", Name: "A"}}, mode)
		for step := range 120 {
			if step == 60 {
				h.replace(t, s, "Employees may take 5 days.") // makes reviews based on the older document stale
			}
			in := ledger.ReviewInput{Action: actions[random.IntN(len(actions))], Reason: "Why."}
			if in.Action == ledger.Override {
				in.Verdict = ledger.Verdicts[random.IntN(4)]
			}
			by := h.as(people[random.IntN(3)])
			in.By = by.actor.ID
			_, _ = by.review(s.ID, random.IntN(9), in) // some are refused: nothing to take back, no verdict to confirm
			if step%20 != 19 {
				continue
			}
			for _, person := range []string{"a", "b", "c", "d", ""} {
				for _, f := range []ledger.ClaimFilter{{}, {Verdict: ledger.Weak},
					{Unsettled: true, Text: "employees"}} {
					h.confirmable(t, person, s.ID, f, fmt.Sprintf("%q %d", mode, step), kinds)
				}
			}
		}
	}
	for _, kind := range []string{"confirm", "unjudged", "decided"} {
		require.Greater(t, kinds[kind], 100, kind)
	}
}

// confirmable returns the preview after comparing it with the plan of the whole session.
func (h *fixture) confirmable(t *testing.T, person, id string, f ledger.ClaimFilter, when string,
	kinds map[string]int) {
	t.Helper()
	ctx, who, name := context.Background(), h.as(person).actor, fmt.Sprintf("%s %q %+v", when, person, f)
	whole, err := h.SessionFor(ctx, who, id)
	require.NoError(t, err)
	var positions []int
	for _, e := range assess(whole).Entries {
		if (f.Verdict == "" || e.Verdict == f.Verdict) && (!f.Unsettled || !e.Settled) {
			positions = append(positions, e.Claim.Position)
		}
	}
	type listed struct {
		position   int
		text       string
		verdict    ledger.Verdict
		confidence float64
		override   bool
	}
	list := func(e *ledger.Entry) listed {
		return listed{
			position: e.Claim.Position, text: e.Claim.Text, verdict: e.Verdict, confidence: e.Confidence,
			override: e.Override,
		}
	}
	plan, byVerdict := whole.PlanConfirm(positions, who.ID), map[ledger.Verdict]int{}
	var want, first []listed
	for i, at := range plan.Confirm {
		e, _ := whole.EntryAt(at, nil)
		if byVerdict[e.Verdict]++; i < 3 {
			want = append(want, list(&e))
		}
	}
	got, err := h.Confirmable(ctx, who, id, f, 3)
	require.NoError(t, err)
	for i := range got.First {
		first = append(first, list(&got.First[i]))
	}
	require.Equal(t, byVerdict, got.ByVerdict, name)
	require.Equal(t, []int{len(plan.Confirm), len(plan.Unjudged), len(plan.Decided)},
		[]int{got.Count, got.Unjudged, got.Decided}, name)
	require.Equal(t, want, first, name)
	kinds["confirm"] += got.Count
	kinds["unjudged"] += got.Unjudged
	kinds["decided"] += got.Decided
}

// TestTooManyToConfirm checks that claims beyond the limit are only counted, and that no more of a session is read than
// is listed.
func TestTooManyToConfirm(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	most, more := sizedSession(ledger.MaxBulk), sizedSession(ledger.MaxBulk+1)
	h.insert(t, most)
	h.insert(t, more)
	preview := func(s *ledger.Session) (*ledger.Confirmable, []string) {
		var sent []string
		defer h.Trace(func(query string, _ []any) { sent = append(sent, query) })()
		out, err := h.Confirmable(ctx, h.actor, s.ID, ledger.ClaimFilter{}, 10)
		require.NoError(t, err)
		return out, sent
	}
	out, sent := preview(more)
	require.Equal(t, []int{ledger.MaxBulk + 1, 0}, []int{out.Count, len(out.First)})
	require.Empty(t, out.Session.Claims)
	require.Empty(t, out.Session.Documents)
	require.Len(t, sent, 2, "its own row, and one that counts")
	require.Contains(t, sent[1], "SELECT count(*)")

	out, sent = preview(most)
	require.Equal(t, []int{ledger.MaxBulk, 10}, []int{out.Count, len(out.First)})
	require.Len(t, sent, 3)
	require.Contains(t, sent[2], "LIMIT ?")
}

func TestClosingAndReopening(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(4)
	h.insert(t, s)
	state := func() ledger.State {
		r, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
		require.NoError(t, err)
		return r.State
	}
	require.Equal(t, ledger.New, state())
	require.Equal(t, domain.Conflict, domain.KindOf(h.ReopenSession(ctx, h.actor, s.ID)))
	require.Equal(t, domain.Invalid, domain.KindOf(h.CloseSession(ctx, h.actor, s.ID, "  ")))
	require.NoError(t, h.CloseSession(ctx, h.actor, s.ID, "Out of scope"))
	require.Equal(t, ledger.Closed, state())
	require.Equal(t, domain.Conflict, domain.KindOf(h.CloseSession(ctx, h.actor, s.ID, "again")))
	home, err := h.Home(ctx, h.tenant.ID)
	require.NoError(t, err)
	require.Empty(t, home.Queue, "a closed session waits for nobody")
	r, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, "Out of scope", r.Closing.Reason)

	h.says(t, s.ID, 0, confirm)
	require.Equal(t, ledger.InReview, state(), "a review reopens it")
	for i := 1; i < 4; i++ {
		h.says(t, s.ID, i, confirm)
	}
	require.Equal(t, ledger.Reviewed, state())
	require.NoError(t, h.CloseSession(ctx, h.actor, s.ID, ""))
	require.NoError(t, h.ReopenSession(ctx, h.actor, s.ID))
	require.Equal(t, ledger.Reviewed, state())
	require.NoError(t, h.CloseSession(ctx, h.actor, s.ID, ""))
	h.assign(t, s.ID, ledger.Seats{}, ledger.SecondOpen)
	require.Equal(t, ledger.InReview, state(), "turning on a second review reopens settled claims")
	require.Equal(t, []string{"session.closed", "session.reopened", "claim.reviewed", "claim.reviewed",
		"claim.reviewed", "claim.reviewed",
		"session.closed", "session.reopened", "session.closed", "session.reopened", "session.assigned"},
		h.happened(t, 1))
	for _, status := range ledger.States {
		rows, _, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{State: string(status), Limit: 10})
		require.NoError(t, err)
		require.Equal(t, status == ledger.InReview, len(rows) == 1, status)
	}
	_, err = h.ShowSession(ctx, uuid.NewString(), s.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	require.Equal(t, domain.NotFound,
		domain.KindOf(h.CloseSession(ctx, domain.Actor{Tenant: uuid.NewString()}, s.ID, "x")))
}

func TestMyQueue(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	for i := range 4 {
		s := sizedSession(2 + i)
		h.insert(t, s)
		var seats ledger.Seats
		if i < 3 {
			seats[i%2] = ledger.Seat{ID: "me"}
		}
		h.assign(t, s.ID, seats, ledger.SecondOpen)
	}
	rows, err := h.MyQueue(ctx, h.tenant.ID, "me", 10)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, []int{4, 2, 3}, []int{rows[0].Claims, rows[1].Claims, rows[2].Claims},
		"the first seat's before the second's, the most urgent of each first")
	listed, _, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Of: "me", Limit: 10})
	require.NoError(t, err)
	require.Len(t, listed, 3)
	for _, who := range []string{"", "somebody"} {
		rows, err = h.MyQueue(ctx, h.tenant.ID, who, 10)
		require.NoError(t, err)
		require.Empty(t, rows)
	}
}

// TestSealedReviewsStayInTheStore checks that nobody else can read the first reviewer's reviews of a blind session
// before the second reviewer has decided.
func TestSealedReviewsStayInTheStore(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(4) // supported, weak, contradicted, not found
	h.insert(t, s)
	a, b := h.as("a"), h.as("b")
	h.assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	before, err := h.Home(ctx, h.tenant.ID)
	require.NoError(t, err)
	a.says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})

	after, err := h.Home(ctx, h.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, before.ByVerdict, after.ByVerdict, "no figure reveals it")
	for who, want := range map[string]int{"": 0, "b": 0, "c": 0, "a": 1} {
		whole, err := h.SessionFor(ctx, h.as(who).actor, s.ID)
		require.NoError(t, err)
		require.Len(t, whole.Claims[0].Reviews, want, who)
		claim, err := h.ClaimPageFor(ctx, h.as(who).actor, s.ID, 0)
		require.NoError(t, err)
		require.Len(t, claim.Session.Claims[0].Reviews, want, who)
		require.Equal(t, want, claim.Own, who)
		page, err := h.LedgerPageFor(ctx, h.as(who).actor, s.ID, ledger.ClaimFilter{Verdict: ledger.Contradicted}, -1,
			10)
		require.NoError(t, err)
		require.Len(t, page.Session.Claims, 1, "a filter finds the machine's verdict only")
		require.Zero(t, page.Overview.Summary.Overridden)
	}
	page := h.page(t, s.ID, ledger.ClaimFilter{}, -1, 10)
	require.Empty(t, page.Session.Claims[0].Reviews)

	b.says(t, s.ID, 0, confirm)
	whole, err := h.Session(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Len(t, whole.Claims[0].Reviews, 2, "now both show, to everybody")
	require.Equal(t, 1, h.page(t, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching)
}

// TestMigrationOfReviewedSessions checks the new columns of sessions reviewed before the migration.
func TestMigrationOfReviewedSessions(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(3)
	h.insert(t, s)
	for i := range 2 {
		h.says(t, s.ID, i, confirm)
	}
	want, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	d := raw(t, h.dir)
	for _, q := range []string{
		"UPDATE claims SET settled = 0",
		"UPDATE sessions SET settled = 0, state = 'new', overview = json_remove(overview, '$.summary.settled', '$.summary.begun')",
	} {
		_, err := d.Exec(q)
		require.NoError(t, err)
	}
	for _, q := range db.UpdatesOf(t, "0012_decide.sql") {
		_, err := d.Exec(q)
		require.NoError(t, err, q)
	}
	got, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, 2, got.Settled)
}

// TestStoredFiguresEqualAssessingTheWhole checks that after random reviews the stored values equal those of assessing
// the whole session.
func TestStoredFiguresEqualAssessingTheWhole(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	for _, mode := range ledger.SecondReviews {
		s := sizedSession(6)
		h.insert(t, s)
		var seats ledger.Seats
		if mode != ledger.OneReviewer {
			seats = ledger.Seats{{ID: "a"}, {ID: "b"}}
		}
		h.assign(t, s.ID, seats, mode)
		for i := range 60 {
			in := ledger.ReviewInput{
				Action: ledger.Actions[(i*7+i/6)%len(ledger.Actions)], Verdict: ledger.Verdicts[i%4],
				Reason: "r", Importance: ledger.Importances[i%3],
			}
			who := h.as(string(rune('a' + i%3)))
			in.By = who.actor.ID
			_, err := who.ReviewClaim(ctx, who.actor, s.ID, i%6, "", func(s *ledger.Session) (ledger.Review, error) {
				return s.AddReview(i%6, in, uuid.NewString(), who.actor.User, "reviewer", now)
			}, nil)
			if err != nil {
				require.Equal(t, domain.Invalid, domain.KindOf(err), fmt.Sprint(i, in.Action))
			}
			l := db.Assessed(t, h.Store, h.tenant.ID, s.ID)
			page := h.page(t, s.ID, ledger.ClaimFilter{}, -1, 10)
			require.Equal(t, l.Head(), page.Overview, "%s step %d", mode, i)
			shown, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
			require.NoError(t, err)
			require.Equal(t, []int{l.Summary.Settled, l.Summary.Differing}, []int{shown.Settled, shown.Differing})
			require.Equal(t, l.Summary.Total-l.Summary.Settled, h.page(t, s.ID, ledger.ClaimFilter{
				Unsettled: true, Uncited: false,
			}, -1, 10).Matching)
		}
	}
}

// TestConfirmReadsItsClaimOnly checks that a confirmation reads one claim only, and that an override, which may change
// flags of other claims, reads the whole session.
func TestConfirmReadsItsClaimOnly(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(300)
	h.insert(t, s)
	for _, c := range []struct {
		in    ledger.ReviewInput
		whole bool
	}{
		{confirm, false}, {ledger.ReviewInput{
			Action: ledger.Comment, Reason: "x",
		}, false}, {ledger.ReviewInput{Action: ledger.Undo}, false},
		{ledger.ReviewInput{Action: ledger.NeedsEvidence}, false}, {ledger.ReviewInput{
			Action: ledger.Override, Verdict: ledger.NotFound, Reason: "x",
		}, true},
		{ledger.ReviewInput{Action: ledger.Undo}, true},
	} {
		c.in.By = h.actor.ID
		whole := false
		stop := h.Trace(func(query string, _ []any) { whole = whole || strings.Contains(query, "answer_parts") })
		l, err := h.ReviewClaim(ctx, h.actor, s.ID, 7, "", func(s *ledger.Session) (ledger.Review, error) {
			return s.AddReview(7, c.in, uuid.NewString(), h.actor.User, "reviewer", now)
		}, nil)
		stop()
		require.NoError(t, err)
		require.Equal(t, c.whole, whole, c.in.Action)
		require.Equal(t, db.Assessed(t, h.Store, h.tenant.ID, s.ID).Summary, l.Summary)
	}
	_, err := h.ReviewClaim(ctx, h.actor, s.ID, 300, "", func(s *ledger.Session) (ledger.Review, error) {
		return s.AddReview(300, confirm, "x", "n", "reviewer", now)
	}, nil)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestClosedByAMachine(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(4)
	h.insert(t, s)
	k, err := h.AddToken(ctx, domain.AtCommandLine(h.tenant.ID), db.Token{
		Name: "nightly", Role: domain.Reviewer, Hash: "h", ExpiresAt: time.Now().AddDate(1, 0, 0),
	})
	require.NoError(t, err)
	require.NoError(t, h.CloseSession(ctx, domain.Actor{
		ID: k.ID, Tenant: h.tenant.ID, Role: domain.Reviewer,
	}, s.ID, "Out of scope"))
	r, err := h.ShowSession(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, "nightly", r.Closing.By, "a machine is identified by its token's name")
}

// TestSealedReviewsStayInTheStoreAfterJudgingAgain checks that a review stays sealed if the session is judged again
// before the other reviewer has decided, and that the stored values equal those of assessing the whole session.
func TestSealedReviewsStayInTheStoreAfterJudgingAgain(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(2) // supported, weak
	h.insert(t, s)
	a, b := h.as("a"), h.as("b")
	h.assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	a.says(t, s.ID, 0, confirm)
	b.says(t, s.ID, 0, confirm)
	h.judgeAgain(t, s.ID, "run-2") // finds nothing
	a.says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})
	same := func() {
		t.Helper()
		page := h.page(t, s.ID, ledger.ClaimFilter{}, -1, 10)
		whole, err := h.Session(ctx, h.tenant.ID, s.ID)
		require.NoError(t, err)
		require.Equal(t, assess(whole).Summary, page.Overview.Summary)
		require.Equal(t, ledger.Supported, assess(whole).Entries[0].Verdict)
	}
	for _, run := range []string{"", "run-3"} {
		if run != "" {
			_, err := h.JudgeSession(ctx, h.actor, db.JudgeAsk{SessionID: s.ID},
				func(_ int, now *ledger.Session) (*db.Judged, error) {
					judged := takeSameRun(now, s)
					require.Zero(t, judged.Changes[0].Stale, "no number reveals that a has reviewed")
					return judged, nil
				})
			require.NoError(t, err)
		}
		for who, want := range map[string]int{"": 2, "b": 2, "c": 2, "a": 3} {
			claim, err := h.ClaimPageFor(ctx, h.as(who).actor, s.ID, 0)
			require.NoError(t, err)
			require.Len(t, claim.Session.Claims[0].Reviews, want, who)
			page, err := h.LedgerPageFor(ctx, h.as(who).actor, s.ID, ledger.ClaimFilter{Verdict: ledger.Contradicted},
				-1, 10)
			require.NoError(t, err)
			require.Empty(t, page.Session.Claims)
			stale, err := h.LedgerPageFor(ctx, h.as(who).actor, s.ID, ledger.ClaimFilter{Stale: true}, -1, 10)
			require.NoError(t, err)
			require.Len(t, stale.Session.Claims, 1, "it waits to be looked at again")
		}
		same()
	}
	b.says(t, s.ID, 0, confirm)
	require.Equal(t, 0, h.page(t, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching,
		"a has said nothing of this judgement")
	a.says(t, s.ID, 0, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "secret words",
	})
	require.Equal(t, 1, h.page(t, s.ID, ledger.ClaimFilter{Differs: true}, -1, 10).Matching)
}

// takeSameRun adds a run with the same judgements as the first run of s.
func takeSameRun(now, s *ledger.Session) *db.Judged {
	judged := *now
	judged.Claims = append([]ledger.Claim(nil), now.Claims...)
	judged.Run = ledger.Run{ID: "run-3", Judge: "given", Version: "1", InputDigest: "x", At: now.UpdatedAt}
	for i := range judged.Claims {
		judged.Claims[i].Matches = s.Claims[i].Matches
	}
	out := &db.Judged{Changes: now.TakeRun(&judged, now.UpdatedAt)}
	out.Ledger = assess(now)
	return out
}

// TestMyQueueInDoubleReview checks that in a double review, a claim decided by one reviewer waits for the other.
func TestMyQueueInDoubleReview(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(2)
	h.insert(t, s)
	h.assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	waits := func(who string) bool {
		t.Helper()
		rows, err := h.MyQueue(ctx, h.tenant.ID, who, 10)
		require.NoError(t, err)
		listed, _, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Of: who, State: db.StateOpen, Limit: 10})
		require.NoError(t, err)
		require.Len(t, listed, len(rows), "the list behind it is the same")
		all, _, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Of: who, Limit: 10})
		require.NoError(t, err)
		require.Len(t, all, 1)
		return len(rows) == 1
	}
	h.as("a").says(t, s.ID, 0, confirm)
	require.True(t, waits("a"), "one claim is left")
	h.as("a").says(t, s.ID, 1, confirm)
	require.Equal(t, []bool{false, true}, []bool{waits("a"), waits("b")})
	h.as("a").says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Undo})
	require.True(t, waits("a"))
	h.as("a").says(t, s.ID, 1, confirm)
	h.judgeAgain(t, s.ID, "run-2")
	require.Equal(t, []bool{true, true}, []bool{waits("a"), waits("b")}, "judged again: both must review again")
}
