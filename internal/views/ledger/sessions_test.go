package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
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
		require.Equal(t, []bool{offered, offered}, []bool{p.Review.Take, p.Review.TakeSecond}, state)
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
