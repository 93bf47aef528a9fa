package views

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Each reviewer's name stands by itself, whichever way it is written; who only reviewed last is not shown as the reviewer.
func TestReviewersOfASession(t *testing.T) {
	c := Chrome{Lang: "ar", words: words.In("ar")}
	row := func(r SessionRow) string {
		var b bytes.Buffer
		require.NoError(t, sessionRow(&c, c.sessionLines([]SessionRow{r})[0], true).Render(context.Background(), &b))
		return b.String()
	}
	two := row(SessionRow{Seats: ledger.Seats{{ID: "a", Name: "يوسف البلوشي"}, {ID: "b", Name: "Sara Al Dosari · سارة الدوسري"}}, Reviewer: "Noura"})
	require.Contains(t, two, "<div><bdi>يوسف البلوشي</bdi></div><div><bdi>Sara Al Dosari · سارة الدوسري</bdi></div>")
	require.NotContains(t, two, "Noura")
	require.Contains(t, row(SessionRow{Reviewer: "Noura"}), `<span class="was">آخر مراجعة:</span> <bdi>Noura</bdi>`)
	require.Contains(t, row(SessionRow{}), "لا أحد بعد")
}

// Nothing is left to take of a review that is done.
func TestADoneReviewIsNotTaken(t *testing.T) {
	for state, offered := range map[ledger.State]bool{ledger.New: true, ledger.InReview: true, ledger.Reviewed: false, ledger.Closed: false} {
		p := &SessionPage{Chrome: Chrome{Lang: "en", words: words.In("en"), May: May{Review: true}}}
		p.seats(SessionInput{LedgerPart: LedgerPart{Session: &ledger.Session{Second: ledger.SecondOpen}, State: state, Reader: "a"}})
		require.Equal(t, []bool{offered, offered}, []bool{p.Review.Take, p.Review.TakeSecond}, state)
	}
}
