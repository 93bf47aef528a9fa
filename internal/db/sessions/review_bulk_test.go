package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sessions"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

func TestBulkIsOneStepAndOneEventPerReview(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(40)
	dbtest.BulkConfirmsAll(t, h.Store, h.Tenant.ID)
	h.AddSession(t, s)
	l, err := h.Review(ctx, h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Confirm, Batch: "b1"}, At: dbtest.Now, NewID: uuid.NewString,
		Selection: &ledger.Selection{Filter: ledger.ClaimFilter{Verdict: ledger.Weak, Text: "employees"}},
	}})
	require.NoError(t, err)
	require.Len(t, l.Claims, 10)
	require.Equal(t, 10, l.Summary.Settled)
	require.Len(t, h.Happened(t, 2), 10)
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, l.Head(), dbtest.Assess(got).Head(), "what is stored is what was assessed")
	require.Equal(t, "b1", got.Claims[1].Reviews[0].Batch)

	left, err := h.Confirmable(ctx, h.Actor, s.ID, ledger.Selection{Filter: ledger.ClaimFilter{Unsettled: true}}, 10)
	require.NoError(t, err)
	require.Equal(t, []int{30, 0, 0, 10}, []int{left.Count, left.Unjudged, left.Decided, len(left.First)})
	require.Equal(t, got.Revision, left.Session.Revision)
	none, err := h.Confirmable(ctx, h.Actor, s.ID, ledger.Selection{Filter: ledger.ClaimFilter{Text: "…"}}, 10)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 0}, []int{none.Count, none.Unjudged, none.Decided, len(none.First)})

	undone, err := h.Review(ctx, h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Undo, Batch: "b1"}, Selection: &ledger.Selection{}, At: dbtest.Now,
		NewID: uuid.NewString,
	}})
	require.NoError(t, err)
	require.Equal(t, l.Claims, undone.Claims)
	page := pageOf(t, h, s.ID, ledger.ClaimFilter{Unsettled: true}, -1, 50)
	require.Equal(t, 40, page.Matching)
	require.Len(t, h.Happened(t, 2), 20) // after the policy and the import
	var details map[string]any
	events, err := h.Events(ctx, h.Tenant.ID, 20, 1)
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
		h := dbtest.New(t)
		s := dbtest.SizedSession(12)
		s.Claims[5].Matches, s.Claims[5].Unjudged = nil, "timeout"
		h.AddSession(t, s)
		h.Assign(t, s.ID, ledger.Seats{{ID: "a", Name: "A"}}, mode)
		for step := range 120 {
			if step == 60 {
				h.Replace(t, s, "Employees may take 5 days.") // makes reviews based on the older document stale
			}
			in := ledger.ReviewInput{Action: actions[random.IntN(len(actions))], Reason: "Why."}
			if in.Action == ledger.Override {
				in.Verdict = ledger.Verdicts[random.IntN(4)]
			}
			by := h.As(people[random.IntN(3)])
			in.By = by.Actor.ID
			_, _ = by.ReviewClaim(s.ID, random.IntN(9),
				in) // some are refused: nothing to take back, no verdict to confirm
			if step%20 != 19 {
				continue
			}
			for _, person := range []string{"a", "b", "c", "d", ""} {
				for _, f := range []ledger.ClaimFilter{{}, {Verdict: ledger.Weak},
					{Unsettled: true, Text: "employees"}, {Unreviewed: true}} {
					confirmable(t, h, person, s.ID, f, fmt.Sprintf("%q %d", mode, step), kinds)
				}
			}
		}
	}
	for _, kind := range []string{"confirm", "unjudged", "decided", "spared"} {
		require.Greater(t, kinds[kind], 25, kind)
	}
}

// confirmable returns the preview after comparing it with the plan of the whole session.
func confirmable(t *testing.T, h *dbtest.Fixture, person, id string, f ledger.ClaimFilter, when string,
	kinds map[string]int) {
	t.Helper()
	ctx, who, name := context.Background(), h.As(person).Actor, fmt.Sprintf("%s %q %+v", when, person, f)
	whole, err := h.SessionFor(ctx, who, id)
	require.NoError(t, err)
	var positions []int
	for _, e := range dbtest.Assess(whole).Entries {
		own, _ := whole.EntryFor(e.Claim.Position, nil, person)
		if (f.Verdict == "" || e.Verdict == f.Verdict) && (!f.Unsettled || whole.Left(&e, person)) &&
			(!f.Unreviewed || own.State == ledger.Unreviewed) {
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
	plan, byVerdict := whole.PlanConfirm(positions, who.ID, dbtest.Assess(whole).Grave()), map[ledger.Verdict]int{}
	var want, first []listed
	for i, at := range plan.Confirm {
		e, _ := whole.EntryAt(at, nil)
		if byVerdict[e.Verdict]++; i < 3 {
			want = append(want, list(&e))
		}
	}
	got, err := h.Confirmable(ctx, who, id, ledger.Selection{Filter: f}, 3)
	require.NoError(t, err)
	for i := range got.First {
		first = append(first, list(&got.First[i]))
	}
	require.Equal(t, byVerdict, got.ByVerdict, name)
	require.Equal(t, []int{len(plan.Confirm), len(plan.Unjudged), len(plan.Decided), len(plan.Spared)},
		[]int{got.Count, got.Unjudged, got.Decided, got.Spared}, name)
	require.Equal(t, want, first, name)
	for i, left := range [][2][]int{
		{plan.Unjudged, got.UnjudgedAt}, {plan.Decided, got.DecidedAt}, {plan.Spared, got.SparedAt},
	} {
		require.Equal(t, slices.Clip(left[0][:min(3, len(left[0]))]), left[1], "%s, reason %d", name, i)
	}
	if len(plan.Confirm) > 1 { // one that would be confirmed, one of another page, one that does not exist
		chosen := []int{plan.Confirm[1], 11, 5000}
		some, err := h.Confirmable(ctx, who, id, ledger.Selection{Filter: f, Claims: chosen}, 3)
		require.NoError(t, err)
		part := whole.PlanConfirm(slices.DeleteFunc(slices.Clone(positions), func(at int) bool {
			return !slices.Contains(chosen, at)
		}), who.ID, dbtest.Assess(whole).Grave())
		require.Equal(t, []int{len(part.Confirm), len(part.Unjudged), len(part.Decided), len(part.Spared)},
			[]int{some.Count, some.Unjudged, some.Decided, some.Spared}, name)
	}
	kinds["confirm"] += got.Count
	kinds["unjudged"] += got.Unjudged
	kinds["decided"] += got.Decided
	kinds["spared"] += got.Spared
}

// TestSpareConditionSelectsGrave checks that the condition of the database selects the claims that ledger.Grave
// returns, in generated sessions, and none where the policy lets a bulk step confirm all.
func TestSpareConditionSelectsGrave(t *testing.T) {
	h := dbtest.New(t)
	d, random := dbtest.Raw(t, h.Dir), rand.New(rand.NewPCG(3, 5))
	texts := []string{"Employees may take %d days of leave.", "Employees must never take %d days of leave.",
		"Contract %d ends on 1 May 2026.", "The fee is SAR %d.5 a month.", "Visitors wear a badge."}
	selected := func(id string, p pack.Policy) []string {
		return dbtest.TextsOf(t, d, `SELECT CAST(c.position AS TEXT) FROM claims c JOIN sessions s ON s.no = c.session_no
			WHERE s.id = '`+id+`' AND `+sessions.SpareCondition(&p)+" ORDER BY c.position")
	}
	seen := map[[2]bool]int{} // number of claims, by whether they are critical and flagged
	for range 20 {
		s := dbtest.SizedSession(30)
		for i := range s.Claims {
			c := &s.Claims[i]
			c.Importance = ledger.Importances[random.IntN(len(ledger.Importances))]
			if random.IntN(2) == 0 {
				c.Span = nil
				c.Text = strings.Replace(texts[random.IntN(len(texts))], "%d", strconv.Itoa(random.IntN(40)), 1)
			}
			if random.IntN(4) == 0 {
				c.Matches = nil
			}
		}
		h.AddSession(t, s)
		stored, err := h.SessionFor(context.Background(), h.Actor, s.ID)
		require.NoError(t, err)
		whole := dbtest.Assess(stored)
		grave, want := whole.Grave(), []string{}
		for _, e := range whole.Entries {
			seen[[2]bool{e.Importance == ledger.Critical, len(e.Flags) > 0}]++
			if grave[e.Claim.Position] {
				want = append(want, strconv.Itoa(e.Claim.Position))
			}
		}
		require.Equal(t, want, selected(s.ID, pack.Policy{}))
		require.Empty(t, selected(s.ID, pack.Policy{BulkConfirmsAll: true}))
	}
	for _, kind := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
		require.Greater(t, seen[kind], 5, "critical and flagged: %v", kind)
	}
}

// TestTooManyToConfirm checks that claims beyond the limit are only counted, and that no more of a session is read than
// is listed.
func TestTooManyToConfirm(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	most, more := dbtest.SizedSession(ledger.MaxBulk), dbtest.SizedSession(ledger.MaxBulk+1)
	dbtest.BulkConfirmsAll(t, h.Store, h.Tenant.ID)
	h.AddSession(t, most)
	h.AddSession(t, more)
	preview := func(s *ledger.Session) (*ledger.Confirmable, []string) {
		var sent []string
		defer h.Trace(func(query string, _ []any) { sent = append(sent, query) })()
		out, err := h.Confirmable(ctx, h.Actor, s.ID, ledger.Selection{}, 10)
		require.NoError(t, err)
		return out, sent
	}
	out, sent := preview(more)
	require.Equal(t, []int{ledger.MaxBulk + 1, 0}, []int{out.Count, len(out.First)})
	require.Empty(t, out.Session.Claims)
	require.Empty(t, out.Session.Documents)
	require.Len(t, sent, 3, "its own row, the policy, and one that counts")
	require.Contains(t, sent[2], "count(*) FILTER")

	out, sent = preview(most)
	require.Equal(t, []int{ledger.MaxBulk, 10}, []int{out.Count, len(out.First)})
	firsts := sent[3 : 3+len(ledger.Verdicts)] // one for the first claims of each verdict
	for _, query := range firsts {
		require.Contains(t, query, "LIMIT ?")
	}
	require.LessOrEqual(t, len(sent), 3+len(firsts)+7, "then those claims with what they rest on, however many there are")
}
