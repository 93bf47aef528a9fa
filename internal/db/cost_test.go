package db_test

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// pages returns the calls that pages make.
func (h *fixture) pages(t testing.TB, s *ledger.Session) map[string]func() error {
	ctx := context.Background()
	ledgerPage := func(f ledger.ClaimFilter) func() error {
		return func() error { _, err := h.LedgerPage(ctx, h.tenant.ID, s.ID, f, -1, 50); return err }
	}
	list := func(q ledger.SessionQuery) func() error {
		q.Limit = 50
		return func() error { _, _, err := h.Sessions(ctx, h.tenant.ID, q); return err }
	}
	find := func(q ledger.FindQuery) func() error {
		q.Limit = 25
		return func() error { _, _, err := h.Find(ctx, h.actor, q); return err }
	}
	return map[string]func() error{
		"session":           func() error { _, err := h.Session(ctx, h.tenant.ID, s.ID); return err },
		"ledger":            ledgerPage(ledger.ClaimFilter{}),
		"ledger later":      func() error { _, err := h.LedgerPage(ctx, h.tenant.ID, s.ID, ledger.ClaimFilter{}, 5, 2); return err },
		"ledger verdict":    ledgerPage(ledger.ClaimFilter{Verdict: ledger.Weak}),
		"ledger type":       ledgerPage(ledger.ClaimFilter{Type: ledger.Fact}),
		"ledger importance": ledgerPage(ledger.ClaimFilter{Importance: ledger.Minor}),
		"ledger unreviewed": ledgerPage(ledger.ClaimFilter{Unreviewed: true}),
		"ledger flagged":    ledgerPage(ledger.ClaimFilter{Flagged: true}),
		"ledger flag":       ledgerPage(ledger.ClaimFilter{Flag: ledger.Contradiction}),
		"ledger uncited":    ledgerPage(ledger.ClaimFilter{Uncited: true}),
		"ledger text":       ledgerPage(ledger.ClaimFilter{Text: "employees"}),
		"ledger several":    ledgerPage(ledger.ClaimFilter{Text: "employees", Verdict: ledger.Weak, Flagged: true}),
		"ledger unsettled":  ledgerPage(ledger.ClaimFilter{Unsettled: true}),
		"ledger differs":    ledgerPage(ledger.ClaimFilter{Differs: true}),
		"session in short":  func() error { _, err := h.ShowSession(ctx, h.actor, s.ID); return err },
		"my queue":          func() error { _, err := h.MyQueue(ctx, h.tenant.ID, h.actor.ID, 10); return err },
		"sessions state":    list(ledger.SessionQuery{State: ledger.Closed}),
		"sessions mine":     list(ledger.SessionQuery{Assigned: ledger.AssignedMe, Reader: h.actor.ID}),
		"bulk": func() error {
			_, err := h.Confirmable(ctx, h.actor, s.ID,
				ledger.Selection{Filter: ledger.ClaimFilter{Unsettled: true}}, 10)
			return err
		},
		"claim":             func() error { _, err := h.ClaimPage(ctx, h.tenant.ID, s.ID, 3); return err },
		"document":          func() error { _, err := h.DocumentPage(ctx, h.actor, s.Documents[0].ID, 3, 1, 10); return err },
		"home":              func() error { _, err := h.Home(ctx, h.tenant.ID); return err },
		"stats":             func() error { _, err := h.Stats(ctx, h.tenant.ID, now, 365); return err },
		"models":            func() error { _, err := h.ModelFigures(ctx, h.tenant.ID, now, 365); return err },
		"reviews of models": func() error { _, err := h.ModelReviews(ctx, h.tenant.ID); return err },
		"second opinion": func() error {
			_, err := h.SecondOpinion(ctx, h.tenant.ID, s.ID, agreement.Question{Differ: true, After: 3, Limit: 50})
			return err
		},
		"sessions":          list(ledger.SessionQuery{}),
		"sessions title":    list(ledger.SessionQuery{Sort: "title"}),
		"sessions coverage": list(ledger.SessionQuery{Sort: "coverage", Dir: "desc"}),
		"sessions claims":   list(ledger.SessionQuery{Sort: "claims"}),
		"sessions open":     list(ledger.SessionQuery{State: ledger.StateOpen}),
		"sessions filtered": list(ledger.SessionQuery{Verdict: "weak", Flag: "contradiction"}),
		"sessions text":     list(ledger.SessionQuery{Text: "policy"}),
		"find": func() error {
			_, _, err := h.FindGroups(ctx, h.actor, ledger.FindQuery{Text: "employees", Limit: 5})
			return err
		},
		"find all": find(ledger.FindQuery{Text: "policy"}),
		"find claims": find(ledger.FindQuery{Text: "days", Kind: ledger.FindClaims, Verdict: ledger.Weak, State: ledger.New,
			From: now, To: now.AddDate(0, 0, 1)}),
		"find answers": find(ledger.FindQuery{Text: "days", Kind: ledger.FindAnswers}),
		"find notes":   find(ledger.FindQuery{Text: "days", Kind: ledger.FindNotes, Verdict: ledger.UnjudgedOnly}),
		"log of a claim": func() error {
			_, _, err := h.Log(ctx, h.tenant.ID, audit.Query{ObjectID: s.ID, Kind: "session", Claim: 3, Limit: 50})
			return err
		},
		"names of the log": func() error { return h.logNames(ctx, s) },
		"saved views":      func() error { _, err := h.SavedViews(ctx, h.actor, ""); return err },
		"citation":         func() error { _, err := h.CitedChunks(ctx, h.tenant.ID, []string{"abcdef12"}); return err },
	}
}

// logNames asks for the names of one event of each kind, and of many about claims.
func (h *fixture) logNames(ctx context.Context, s *ledger.Session) error {
	var events []audit.StoredEvent
	for _, kind := range []string{"session", "document", "pack", "decision", "user", "token", "webhook", "model", "job", "view", "bundle",
		"artifact", "invitation", "key", "tenant", "erasure", "change", "login"} {
		events = append(events, audit.StoredEvent{Kind: kind, ObjectID: "x", Actor: h.actor.ID})
	}
	facts := make([]audit.Facts, len(events))
	for n := range min(len(s.Claims), 20) {
		events = append(events, audit.StoredEvent{Kind: "session", ObjectID: s.ID})
		facts = append(facts, audit.Facts{Details: map[string]any{"claim": float64(n + 1)}})
	}
	names, err := h.LogNames(ctx, h.actor, events, facts)
	if at := (audit.Ref{Kind: audit.ClaimKind, ID: s.ID, Claim: 3}); err == nil && names.Thing(at).Text != s.Claims[2].Text {
		return errors.New("the text of claim 3 is not found")
	}
	return err
}

func TestPagesSendAFixedNumberOfQueries(t *testing.T) {
	h := newFixture(t)
	small, large := sizedSession(10), sizedSession(2000)
	h.insert(t, small)
	h.insert(t, large)
	counts := func(s *ledger.Session) map[string]int64 {
		out := map[string]int64{}
		for name, call := range h.pages(t, s) {
			before := h.QueryCount()
			require.NoError(t, call())
			out[name] = h.QueryCount() - before
		}
		return out
	}
	a, b := counts(small), counts(large)
	require.Equal(t, a, b)
	t.Log(a)
	for name, n := range a {
		most := int64(15)
		if name == "names of the log" {
			most = 20 // one for each kind of thing, and the people, claims and reviews
		}
		require.LessOrEqual(t, n, most, name)
	}
}

// expensive matches a step of a query plan that scans a whole table or sorts.
var expensive = regexp.MustCompile(`^SCAN |TEMP B-TREE`)

// bounded matches steps that look expensive but are not: full text search, the rows of a VALUES list or of
// a bounded subquery.
var bounded = regexp.MustCompile(`VIRTUAL TABLE INDEX|VALUES CLAUSE|CONSTANT ROW|SCAN \(subquery|SCAN newest|SCAN wanted|SCAN counted|SCAN page|SCAN own|SCAN others`)

// Queries that sort what is bounded, by the page, by what a search found or by the days of a period.
var boundedSort = regexp.MustCompile(`IN \(VALUES|FROM page CROSS JOIN|AS newest ORDER BY|FROM session_search|sum\(claims\) FROM comparisons|ORDER BY c\.hash, c\.rowid`)

// sortsTies are queries that walk an index and sort by number what is equal in it: rows of one nanosecond, and views of
// one name.
var sortsTies = regexp.MustCompile(
	`ORDER BY (\w\.(created_at|asked_at)|v\.page, v\.name_key)( DESC)?, \w\.(no|rowid)( DESC)? LIMIT`)

// costly reports whether a step of a query's plan walks a whole table, or sorts more than a page.
func costly(query, step string) bool {
	ties := strings.Contains(step, "TEMP B-TREE FOR LAST TERM OF ORDER BY") && sortsTies.MatchString(query)
	return expensive.MatchString(step) && !bounded.MatchString(step) && !ties
}

// TestPagesScanNothing checks SQLite's plan for each query of each page.
func TestPagesScanNothing(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	h := newFixture(t)
	s := sizedSession(200)
	h.insert(t, s)
	h.insert(t, sizedSession(5))
	d := dbtest.Raw(t, h.dir)
	for name, call := range h.pages(t, s) {
		for _, q := range sentBy(t, h, call) {
			for _, step := range plan(t, d, q.query, q.args) {
				sorts := strings.Contains(step, "TEMP B-TREE")
				if costly(q.query, step) && !(sorts && boundedSort.MatchString(q.query)) {
					t.Errorf("%s: %s\n%s", name, step, q.query)
				}
				if testing.Verbose() {
					t.Logf("%-18s %s", name, step)
				}
			}
		}
	}
}

func plan(t *testing.T, d *sql.DB, query string, args []any) (steps []string) {
	t.Helper()
	rows, err := d.Query("EXPLAIN QUERY PLAN "+query, args...)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		steps = append(steps, step)
	}
	return steps
}
