package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filter"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// No seat can be taken in a finished review.
func TestNoSeatsInFinishedReview(t *testing.T) {
	for state, offered := range map[ledger.State]bool{ledger.New: true, ledger.InReview: true, ledger.Reviewed: false,
		ledger.Closed: false} {
		p := &SessionPage{Chrome: viewtest.ChromeAt("en", "/sessions/s")}
		p.May.Review = true
		p.seats(SessionInput{LedgerPart: LedgerPart{Reader: "a",
			Page: ledger.Page{Session: &ledger.Session{Second: ledger.SecondOpen}, State: state}}})
		require.Equal(t, []bool{offered, false}, []bool{p.Review.Take, p.Review.TakeSecond}, state)
	}
}

// The list is the newest first until another order is chosen, and its head says so.
func TestOrderOfSessions(t *testing.T) {
	for sort, want := range map[string]string{"": "descending", "created": "descending", "title": ""} {
		p := NewSessionsPage(viewtest.ChromeAt("en", "/sessions"), SessionsInput{SessionQuery: ledger.SessionQuery{Sort: sort}})
		created := p.Columns[len(p.Columns)-1]
		require.Equal(t, want, created.Sorted, sort)
	}
}

// TestSharesOfTheReport checks that what supports a claim is told from a passage that may speak against it.
func TestSharesOfTheReport(t *testing.T) {
	p := &SessionPage{Chrome: viewtest.ChromeAt("en", "/sessions/s"), Summary: ledger.Summary{Total: 9, Coverage: 8.0 / 9,
		Unsupported: 3.0 / 9, ByVerdict: map[ledger.Verdict]int{ledger.Weak: 6, ledger.Contradicted: 2, ledger.NotFound: 1}}}
	require.Equal(t, []Share{{"Supported", "0 of 9 (0%)"}, {"A passage was found", "8 of 9 (89%)"},
		{"Contradicted or not found", "3 of 9 (33%)"}}, p.Shares())
	p.Summary = ledger.Summary{}
	require.Equal(t, "0 of 0 (0%)", p.Shares()[0].Value)
}

// TestAssignSaysEveryFilter: what narrows the sessions that are assigned is said in words, whichever filter it is.
func TestAssignSaysEveryFilter(t *testing.T) {
	c := viewtest.ChromeAt("en", "/sessions/assign")
	for _, f := range ledger.SessionFilters {
		value := "1"
		if f.Kind == filter.Choice {
			value = f.Values[0]
		}
		q, left := ledger.SessionFilters.Read(func(name string) string {
			if name == f.Name {
				return value
			}
			return ""
		})
		require.Empty(t, left, f.Name)
		p := NewAssignPage(c, AssignInput{Query: q})
		if f.Name == "sort" || f.Name == "dir" {
			require.Empty(t, p.Hidden, f.Name)
			continue
		}
		require.Len(t, p.Filters, 1, f.Name)
		require.NotEmpty(t, p.Filters[0].Value)
		require.Equal(t, []ui.Option{{Label: f.Name, Value: value}}, p.Hidden)
	}
}
