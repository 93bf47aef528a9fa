package statistics_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

func stats(t testing.TB, h *dbtest.Fixture, at time.Time, days int) *ledger.Stats {
	t.Helper()
	st, err := h.Stats(context.Background(), h.Tenant.ID, at, days)
	require.NoError(t, err)
	return st
}

// comparisons returns the stored counts as "day judge/version machine person n".
func comparisons(t testing.TB, d *sql.DB) []string {
	return dbtest.TextsOf(t, d, "SELECT day || ' ' || judge || '/' || version || ' ' || machine || ' ' || person || ' ' || claims FROM comparisons WHERE claims <> 0 ORDER BY 1")
}

// recounted is comparisons, counted from the claims.
func recounted(t testing.TB, d *sql.DB) []string {
	return dbtest.TextsOf(t, d, `SELECT substr(s.created_at, 1, 10) || ' ' || c.judge || '/' || CASE c.given WHEN 1 THEN '' ELSE r.version END || ' ' || c.machine_verdict || ' ' || c.verdict || ' ' || count(*)
		FROM sessions s JOIN claims c ON c.session_no = s.no JOIN ledger_runs r ON r.session_no = s.no AND r.n = s.run
		WHERE c.settled = 1 AND c.machine_verdict <> '' GROUP BY s.tenant_id, substr(s.created_at, 1, 10), c.judge, c.given, r.version, c.machine_verdict, c.verdict ORDER BY 1`)
}

// TestComparisonsEqualTheClaims checks that the stored counts equal those counted from the claims after any change
// of a session.
func TestComparisonsEqualTheClaims(t *testing.T) {
	h := dbtest.New(t)
	d := dbtest.Raw(t, h.Dir)
	override := ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "x"}
	s, two, imported := dbtest.SizedSession(40), dbtest.SizedSession(8), dbtest.FullSession()
	same := func(want ...string) {
		t.Helper()
		got := comparisons(t, d)
		require.Equal(t, recounted(t, d), got)
		require.Equal(t, want, got)
	}
	const day = "2026-03-01 "
	h.AddSession(t, s)
	same()
	h.AddSession(t, imported)
	same(day + "lexical/1 contradicted supported 1") // its review was imported; the unjudged one does not count
	own := day + "lexical/1 contradicted supported 1"

	h.Says(t, s.ID, 0, dbtest.Confirm)
	h.Says(t, s.ID, 1, dbtest.Confirm)
	h.Says(t, s.ID, 2, override)
	h.Says(t, s.ID, 3, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
	h.Says(t, s.ID, 4, ledger.ReviewInput{Action: ledger.NeedsEvidence})
	same(day+"given/ contradicted weak 1", day+"given/ supported supported 1", day+"given/ weak weak 1", own)
	h.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Undo})
	h.Says(t, s.ID, 1, override) // to the same verdict
	same(day+"given/ supported supported 1", day+"given/ weak weak 1", own)

	// blind: nothing counts until both have decided; if they differ, nothing until a third person has
	h.AddSession(t, two)
	h.Assign(t, two.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	h.As("a").Says(t, two.ID, 0, dbtest.Confirm)
	h.As("a").Says(t, two.ID, 1, dbtest.Confirm)
	same(day+"given/ supported supported 1", day+"given/ weak weak 1", own)
	h.As("b").Says(t, two.ID, 0, dbtest.Confirm)
	h.As("b").Says(t, two.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.NotFound, Reason: "x"})
	same(day+"given/ supported supported 2", day+"given/ weak weak 1", own)
	h.As("c").Says(t, two.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.NotFound, Reason: "x"})
	same(day+"given/ supported supported 2", day+"given/ weak not_found 1", day+"given/ weak weak 1", own)

	// another judge of another version: stale reviews don't count; valid ones count for the new judge
	h.Says(t, s.ID, 3, dbtest.Confirm) // not found: the new run says so too
	h.JudgeAgain(t, s.ID, "run-2")
	same(day+"given/ supported supported 1", day+"given/ weak not_found 1", own, day+"nothing/9 not_found not_found 1")

	st := stats(t, h, dbtest.Now, 30)
	require.Len(t, st.Judges, 3)
	require.Equal(t, []any{"given", "", ledger.Agreement{Both: 2, Same: 1}},
		[]any{st.Judges[0].Judge, st.Judges[0].Version, st.Judges[0].Table.Agreement()})
	require.Equal(t, 1, st.Judges[0].Table.At(ledger.Weak, ledger.NotFound))
	w := st.Weeks[len(st.Weeks)-1]
	require.Equal(t, []int{3, 51, 4, 2}, []int{w.Sessions, w.Claims, w.Decided, w.Changed})
	other, _ := h.NewTenant(t, "other")
	none, err := h.Stats(context.Background(), other.ID, dbtest.Now, 365)
	require.NoError(t, err)
	require.Empty(t, none.Judges)
	require.Zero(t, none.Ages[0].Sessions+none.Weeks[11].Sessions)

	shown, err := h.ShowSession(context.Background(), h.Actor, two.ID)
	require.NoError(t, err)
	spread := shown.Summary.Confidence
	require.Equal(t, []int{2, 1, 2, 0},
		[]int{spread.At(ledger.Supported, 9), spread.At(ledger.Weak, 7), spread.At(ledger.Contradicted, 9),
			spread.At(ledger.NotFound, 0)}, "without the overridden one; not found has no figure")
}

// TestStatsByDay checks that open sessions are counted by age in days, and weeks by day.
func TestStatsByDay(t *testing.T) {
	h := dbtest.New(t) // now is a Sunday
	at := func(days float64) *ledger.Session {
		s := dbtest.SizedSession(4)
		s.Title = fmt.Sprintf("%v days old", days)
		s.CreatedAt = dbtest.Now.Add(-time.Duration(days * 24 * float64(time.Hour)))
		h.AddSession(t, dbtest.Identify(s))
		return s
	}
	for _, days := range []float64{-0.5, 0, 1.9, 2, 7.9, 8, 30.9, 31, 400} {
		at(days)
	}
	closed := at(500)
	require.NoError(t, h.CloseSession(context.Background(), h.Actor, closed.ID, "old"))

	st := stats(t, h, dbtest.Now, 90)
	require.Equal(t, "2025-12-02", st.Since.Format(time.DateOnly), "90 days including today")
	var bands []string
	for _, b := range st.Ages {
		bands = append(bands, fmt.Sprint(b.From, "-", b.To, ": ", b.Sessions, " ", b.Oldest.Title, " ", b.More))
	}
	require.Equal(t, []string{"0-1: 3 1.9 days old false", "2-7: 2 7.9 days old false", "8-30: 2 30.9 days old false",
		"31--1: 2 400 days old false"}, bands)

	require.Len(t, st.Weeks, 12)
	var weeks []string
	for _, w := range st.Weeks[6:] {
		weeks = append(weeks, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Sessions, " ", w.Claims, " ", w.Covered))
	}
	// the session created tomorrow, by a clock that was ahead, belongs to no week yet
	require.Equal(t, []string{"2026-01-19 0 0 0", "2026-01-26 2 8 6", "2026-02-02 0 0 0", "2026-02-09 0 0 0",
		"2026-02-16 2 8 6", "2026-02-23 3 12 9"}, weeks)

	require.NoError(t, h.SetWeekStart(context.Background(), h.Actor, access.Sunday))
	weeks = nil
	for _, w := range stats(t, h, dbtest.Now, 90).Weeks[10:] {
		weeks = append(weeks, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Sessions))
	}
	require.Equal(t, []string{"2026-02-22 2", "2026-03-01 2"}, weeks, "now, and tomorrow by a clock that was ahead, are in a week that began today")
}

// BenchmarkStats reads the figures of a tenant with so many reviewed claims over two years.
func BenchmarkStats(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("reviews=%d", n), func(b *testing.B) {
			h := dbtest.New(b)
			const each = 50
			for i := range n / each {
				s := dbtest.SizedSession(each)
				s.CreatedAt = dbtest.Now.AddDate(0, 0, -i%730)
				for j := range s.Claims {
					r := ledger.Review{ID: uuid.NewString(), Actor: "Noura", Role: "reviewer", At: dbtest.Now,
						Action: ledger.Override, Verdict: ledger.Verdicts[(i+j/4)%4], Reason: "x"}
					s.Claims[j].Reviews = []ledger.Review{r}
				}
				h.AddSession(b, dbtest.Identify(s))
			}
			for _, days := range []int{30, 90, 365} {
				b.Run(fmt.Sprintf("days=%d", days), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						require.NotEmpty(b, stats(b, h, dbtest.Now, days).Judges)
					}
				})
			}
		})
	}
}

// TestStatsUseIndexes: the days of a period are all that is sorted.
func TestStatsUseIndexes(t *testing.T) {
	h := dbtest.New(t)
	h.AddSession(t, dbtest.SizedSession(200))
	calls := dbtest.Calls{"stats": func() error {
		_, err := h.Stats(context.Background(), h.Tenant.ID, dbtest.Now, 365)
		return err
	}}
	require.LessOrEqual(t, h.Queries(t, calls)["stats"], int64(15))
	h.RequireIndexes(t, calls, regexp.MustCompile(`sum\(claims\) FROM comparisons`))
}
