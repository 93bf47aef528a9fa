package sessions_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
)

// pages returns the calls that pages about sessions make.
func pages(h *dbtest.Fixture, s *ledger.Session) dbtest.Calls {
	ctx := context.Background()
	ledgerPage := func(f ledger.ClaimFilter) func() error {
		return func() error { _, err := h.LedgerPage(ctx, h.Tenant.ID, s.ID, f, -1, 50); return err }
	}
	list := func(q ledger.SessionQuery) func() error {
		q.Limit = 50
		return func() error { _, _, err := h.Sessions(ctx, h.Tenant.ID, q); return err }
	}
	find := func(q ledger.FindQuery) func() error {
		q.Limit = 25
		return func() error { _, _, err := h.Find(ctx, h.Actor, q); return err }
	}
	part := func(q ledger.PartQuery) func() error {
		q.Limit = 5
		return func() error { _, err := h.LedgerPart(ctx, h.Actor, s.ID, &q); return err }
	}
	return dbtest.Calls{
		"part":              part(ledger.PartQuery{}),
		"part verdict":      part(ledger.PartQuery{Verdicts: []ledger.Verdict{ledger.Weak, ledger.Unjudged}, From: 2}),
		"part checks":       part(ledger.PartQuery{Citation: ledger.Holds, Quotation: ledger.QuoteExact}),
		"session":           func() error { _, err := h.Session(ctx, h.Tenant.ID, s.ID); return err },
		"ledger":            ledgerPage(ledger.ClaimFilter{}),
		"ledger later":      func() error { _, err := h.LedgerPage(ctx, h.Tenant.ID, s.ID, ledger.ClaimFilter{}, 5, 2); return err },
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
		"session in short":  func() error { _, err := h.ShowSession(ctx, h.Actor, s.ID); return err },
		"my queue":          func() error { _, err := h.MyQueue(ctx, h.Tenant.ID, h.Actor.ID, 10); return err },
		"waiting":           func() error { _, err := h.Waiting(ctx, h.Tenant.ID, h.Actor.ID, "", 9); return err },
		"free":              func() error { _, err := h.Free(ctx, h.Actor, 9); return err },
		"loads":             func() error { _, err := h.Loads(ctx, h.Tenant.ID); return err },
		"plan of nobody's": func() error {
			_, err := h.PlanAssignment(ctx, h.Tenant.ID, &db.AssignMany{})
			return err
		},
		"plan of somebody's": func() error {
			_, err := h.PlanAssignment(ctx, h.Tenant.ID, &db.AssignMany{Whose: h.Actor.ID, To: takers("a"), How: ledger.ByLoad})
			return err
		},
		"free sessions":  func() error { _, err := h.FreeSessions(ctx, h.Actor, 10); return err },
		"sessions state": list(ledger.SessionQuery{State: ledger.Closed}),
		"sessions mine":  list(ledger.SessionQuery{Assigned: ledger.AssignedMe, Reader: h.Actor.ID}),
		"bulk": func() error {
			_, err := h.Confirmable(ctx, h.Actor, s.ID,
				ledger.Selection{Filter: ledger.ClaimFilter{Unsettled: true}}, 10)
			return err
		},
		"claim":    func() error { _, err := h.ClaimPage(ctx, h.Tenant.ID, s.ID, 3); return err },
		"document": func() error { _, err := h.DocumentPage(ctx, h.Actor, s.Documents[0].ID, 3, 1, 10); return err },
		"home":     func() error { _, err := h.Home(ctx, h.Actor); return err },
		"models":   func() error { _, err := h.ModelFigures(ctx, h.Tenant.ID, dbtest.Now, 365); return err },
		"second opinion": func() error {
			_, err := h.SecondOpinion(ctx, h.Tenant.ID, s.ID, agreement.Question{Differ: true, After: 3, Limit: 50})
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
			_, _, err := h.FindGroups(ctx, h.Actor, ledger.FindQuery{Text: "employees", Limit: 5})
			return err
		},
		"find all": find(ledger.FindQuery{Text: "policy"}),
		"find claims": find(ledger.FindQuery{Text: "days", Kind: ledger.FindClaims, Verdict: ledger.Weak, State: ledger.New,
			From: dbtest.Now, To: dbtest.Now.AddDate(0, 0, 1)}),
		"find answers": find(ledger.FindQuery{Text: "days", Kind: ledger.FindAnswers}),
		"find notes":   find(ledger.FindQuery{Text: "days", Kind: ledger.FindNotes, Verdict: ledger.UnjudgedOnly}),
		"saved views":  func() error { _, err := h.SavedViews(ctx, h.Actor, ""); return err },
		"citation":     func() error { _, err := h.CitedChunks(ctx, h.Tenant.ID, []string{"abcdef12"}); return err },
	}
}

func TestPagesSendAFixedNumberOfQueries(t *testing.T) {
	h := dbtest.New(t)
	small, large := dbtest.SizedSession(10), dbtest.SizedSession(2000)
	h.AddSession(t, small)
	h.AddSession(t, large)
	a, b := h.Queries(t, pages(h, small)), h.Queries(t, pages(h, large))
	require.Equal(t, a, b)
	for name, n := range a {
		require.LessOrEqual(t, n, int64(15), name)
	}
}

// sortsLittle matches queries that sort what is bounded: by the page, by what a search found, or by what waits for one
// person or, where somebody asks for it, for nobody.
var sortsLittle = regexp.MustCompile(`IN \(VALUES|FROM page CROSS JOIN|AS newest ORDER BY|FROM session_search|AS waiting FROM|` +
	`sum\(claims\) FROM comparisons|ORDER BY c\.hash, c\.rowid`)

func TestPagesScanNothing(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(200)
	h.AddSession(t, s)
	h.AddSession(t, dbtest.SizedSession(5))
	h.RequireIndexes(t, pages(h, s), sortsLittle)
}

// TestPlansOfManyClaims looks at a store of 100,000 claims in 500 sessions of 10 tenants: no plan that PostgreSQL takes
// by itself reads a table of 10,000 rows or more whole.
func TestPlansOfManyClaims(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	h := dbtest.New(t)
	s := dbtest.SizedSession(200)
	h.AddSession(t, s)
	dbtest.Raw(t, h.Dir) // which says that what is added isn't in the log
	dbtest.Multiply(t, h.Dir, 10, 500, 0)
	h.RequireNoWalk(t, pages(h, s), "claims", "matches", "chunks", "claim_search", "find_search")
}

func TestManyReadersBesideAWriter(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(30)
	h.AddSession(t, s)
	calls := pages(h, s)
	const readers, writers = 12, 10 // more readers than there are connections
	require.Equal(t, readers+writers, dbtest.Together(readers+writers, func(i int) bool {
		if i < writers {
			_, err := h.ReviewClaim(s.ID, i, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
			return assert.NoError(t, err) && assert.NoError(t, h.Ready(context.Background()))
		}
		for _, name := range []string{"ledger", "ledger text", "claim", "home", "sessions"} {
			if !assert.NoError(t, calls[name](), name) {
				return false
			}
		}
		return true
	}))
}
