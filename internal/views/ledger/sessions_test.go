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
