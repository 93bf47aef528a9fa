package sessions_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

func pageOf(t testing.TB, h *dbtest.Fixture, id string, f ledger.ClaimFilter, after, limit int) *ledger.Page {
	t.Helper()
	p, err := h.LedgerPage(context.Background(), h.Tenant.ID, id, f, after, limit)
	require.NoError(t, err)
	return p
}

// TestPagesEqualAssess compares all pages of many filters with the whole ledger, filtered here.
func TestPagesEqualAssess(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(457)
	s.Run.Version = "12" // so that the claims of the embedded judge have probabilities, and weak ones a tier
	for i := 1; i < len(s.Claims); i += 8 {
		s.Claims[i].Judge, s.Claims[i].Given = "embedded", false
		s.Claims[i].Matches[0].Similarity = 0.2 + 0.1*float64(i%5)
	}
	h.AddSession(t, s)
	l, err := h.UpdateSession(context.Background(), h.Actor, s.ID, db.ClaimReviewed(s.ID, 1, ledger.Override),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for i := 0; i < 457; i += 9 { // a bulk review
				_, err := s.AddReview(i, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "r"},
					uuid.NewString(), "n", "admin", dbtest.Now)
				require.NoError(t, err)
			}
			return dbtest.Assess(s), nil, nil
		})
	require.NoError(t, err)
	h.AddSession(t, dbtest.SizedSession(60)) // claims of another session follow
	is := func(f func(e *ledger.Entry) bool) func(*ledger.Entry) bool { return f }
	filters := map[string]struct {
		filter ledger.ClaimFilter
		keep   func(*ledger.Entry) bool
	}{
		"none": {ledger.ClaimFilter{}, is(func(*ledger.Entry) bool { return true })},
		"verdict": {ledger.ClaimFilter{Verdict: ledger.Weak},
			is(func(e *ledger.Entry) bool { return e.Verdict == ledger.Weak })},
		"likely": {ledger.ClaimFilter{Tier: ledger.Likely},
			is(func(e *ledger.Entry) bool { return e.Tier == ledger.Likely })},
		"doubtful": {ledger.ClaimFilter{Tier: ledger.Doubtful},
			is(func(e *ledger.Entry) bool { return e.Tier == ledger.Doubtful })},
		"unjudged": {ledger.ClaimFilter{Verdict: ledger.UnjudgedOnly},
			is(func(e *ledger.Entry) bool { return e.Unjudged() })},
		"type": {ledger.ClaimFilter{Type: ledger.Numeric},
			is(func(e *ledger.Entry) bool { return e.Type == ledger.Numeric })},
		"importance": {ledger.ClaimFilter{Importance: ledger.Critical},
			is(func(e *ledger.Entry) bool { return e.Importance == ledger.Critical })},
		"flag": {ledger.ClaimFilter{Flag: ledger.Contradiction}, is(func(e *ledger.Entry) bool {
			return strings.Contains(fmt.Sprint(e.Flags), "contradiction")
		})},
		"flagged": {ledger.ClaimFilter{Flagged: true}, is(func(e *ledger.Entry) bool { return len(e.Flags) > 0 })},
		"unreviewed": {ledger.ClaimFilter{Unreviewed: true},
			is(func(e *ledger.Entry) bool { return e.State == ledger.Unreviewed })},
		"uncited": {ledger.ClaimFilter{Uncited: true}, is(func(e *ledger.Entry) bool { return e.Uncited })},
		"text": {ledger.ClaimFilter{Text: "12"},
			is(func(e *ledger.Entry) bool { return strings.Contains(" "+e.Claim.Text+" ", " 12 ") })},
		"text all": {ledger.ClaimFilter{Text: "EMPLOYEE leave"}, is(func(*ledger.Entry) bool { return true })},
		"several": {ledger.ClaimFilter{Text: "employee", Verdict: ledger.Weak, Flagged: true, Unreviewed: true},
			is(func(e *ledger.Entry) bool {
				return e.Verdict == ledger.Weak && len(e.Flags) > 0 && e.State == ledger.Unreviewed
			})},
		"nothing": {ledger.ClaimFilter{Text: "!!! \" * ("}, is(func(*ledger.Entry) bool { return false })},
	}
	for name, x := range filters {
		t.Run(name, func(t *testing.T) {
			var want, got []int
			for i := range l.Entries {
				if x.keep(&l.Entries[i]) {
					want = append(want, i)
				}
			}
			after, starts := -1, []int{-1}
			for {
				p := pageOf(t, h, s.ID, x.filter, after, 50)
				require.Equal(t, min(len(want), db.MaxMatching), p.Matching)
				require.Equal(t, len(got) == 0, p.First)
				if len(starts) > 1 {
					require.Equal(t, starts[len(starts)-2], *p.Prev)
				} else {
					require.Nil(t, p.Prev)
				}
				require.Equal(t, l.Head(), p.Overview)
				for _, c := range p.Session.Claims {
					got = append(got, c.Position)
					e, ok := p.Session.EntryAt(c.Position, p.Flags[c.Position])
					require.True(t, ok)
					full := l.Entries[c.Position]
					if full.Document != nil { // a page's documents have only the chunks it needs
						require.Equal(t, *full.Chunk, *e.Chunk)
						require.Equal(t, full.Document.ID, e.Document.ID)
						full.Document, e.Document = nil, nil
					}
					require.Equal(t, full, e)
				}
				if p.Next == nil {
					break
				}
				after = *p.Next
				starts = append(starts, after)
			}
			require.Equal(t, want, got)
			require.Equal(t, name == "nothing" || name == "unjudged", len(got) == 0)
		})
	}
}

func TestSearchFindsArabicInAnyForm(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	for query, want := range map[string]int{
		"الموظف": 1, "موظف": 1, "الموظّف": 1, "15": 1, "١٥": 1, "يستحق موظف": 1, "أيام": 1, "ايام": 1, "judge": 1,
		"JUDGED":   1,
		"غيرموجود": 0, "موظف خمسة": 0, "\"": 0, "موظف\" OR \"خمسة": 0, "words : judge": 0, "judge*": 1, "NOT judge": 0,
		"-judge": 1, "": 3, "^": 0,
	} {
		require.Len(t, pageOf(t, h, s.ID, ledger.ClaimFilter{Text: query}, -1, 10).Session.Claims, want, query)
	}
	for query, want := range map[string]int{"اجازات": 1, "الإجازات": 1, "hr-42": 1, "موظف أيام": 1, "missing": 0,
		"  ": 1, "'": 0} {
		rows, _, err := h.Sessions(context.Background(), h.Tenant.ID, ledger.SessionQuery{Text: query, Limit: 10})
		require.NoError(t, err)
		require.Len(t, rows, want, query)
	}
}

func TestAnswerPartFollowsThePage(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(2000)
	h.AddSession(t, s)
	first := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 50)
	require.Equal(t, 0, first.Answer.Start)
	require.Equal(t, text.Len(s.Answer), first.Answer.Length)
	require.False(t, first.Answer.Whole)
	require.True(t, strings.HasPrefix(s.Answer, first.Answer.Text))
	require.Equal(t, 0, first.Marks[0].Position)

	later := pageOf(t, h, s.ID, ledger.ClaimFilter{}, 1500, 50)
	shown := text.Span{Start: later.Answer.Start, End: later.Answer.Start + text.Len(later.Answer.Text)}
	require.Equal(t, text.Slice(s.Answer, shown), later.Answer.Text)
	marked := map[int]bool{}
	for _, m := range later.Marks {
		require.Equal(t, *s.Claims[m.Position].Span, m.Span)
		require.True(t, m.Span.End > shown.Start && m.Span.Start < shown.End)
		marked[m.Position] = true
	}
	require.True(t, marked[1501])

	p, err := h.ClaimPage(context.Background(), h.Tenant.ID, s.ID, 1999)
	require.NoError(t, err)
	require.Contains(t, p.Answer.Text, s.Claims[1999].Text)
	require.Equal(t, 1998, *p.Prev)
	require.Nil(t, p.Next)
	require.Len(t, p.Session.Claims, 1)

	small := dbtest.SizedSession(10)
	h.AddSession(t, small)
	whole := pageOf(t, h, small.ID, ledger.ClaimFilter{}, 3, 50)
	require.True(t, whole.Answer.Whole)
	require.Equal(t, small.Answer, whole.Answer.Text)
	require.Len(t, whole.Marks, 10)
}

// A number that a page reads is the number that was stored, to the last bit.
func TestNumbersAreExact(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(400)
	random := rand.New(rand.NewPCG(7, 9))
	numbers := []float64{0, 1, 0.1, 0.3, 1.0 / 3, math.Nextafter(1, 0), math.Nextafter(0.5, 1),
		math.SmallestNonzeroFloat64, 1e-300}
	for i := range s.Claims {
		for j := range s.Claims[i].Matches {
			x := random.Float64()
			if len(numbers) > 0 {
				x, numbers = numbers[0], numbers[1:]
			}
			s.Claims[i].Matches[j].Similarity = x
		}
	}
	h.AddSession(t, s)
	p := pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 400)
	require.Len(t, p.Session.Claims, 400)
	require.Empty(t, numbers)
	for i, want := range s.Claims {
		for j, m := range want.Matches {
			require.Equal(t, math.Float64bits(m.Similarity),
				math.Float64bits(p.Session.Claims[i].Matches[j].Similarity))
		}
	}
}

// TestLedgerIsReadAtOneMoment checks that a ledger whose claims are read some at a time is the one that is read whole, is
// read anew if the session changes meanwhile, and is refused if it keeps changing.
func TestLedgerIsReadAtOneMoment(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(2100)
	h.AddSession(t, s)
	changes, calls := 0, 0
	read := func() (got []ledger.Entry, err error) {
		calls = 0
		return got, h.ReadLedger(context.Background(), h.Actor, s.ID, func(l *ledger.Ledger) error {
			got = nil
			if calls++; calls <= changes {
				h.Says(t, s.ID, calls, ledger.ReviewInput{Action: ledger.Comment, Reason: "Meanwhile"})
			}
			return l.Each(func(_ int, e *ledger.Entry) error {
				e.Claim = new(*e.Claim)
				got = append(got, *e)
				return nil
			})
		})
	}
	for changes = range 2 {
		got, err := read()
		require.NoError(t, err)
		require.Equal(t, changes+1, calls)
		whole, err := h.Session(context.Background(), h.Tenant.ID, s.ID)
		require.NoError(t, err)
		require.Equal(t, ledger.Assess(whole, ledger.DefaultFreshness).Entries, got)
	}
	changes = 9
	_, err := read()
	require.Equal(t, domain.Conflict, domain.KindOf(err))
}
