package judge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// sourcesOf cuts documents given as text.
func sourcesOf(texts ...string) (*judge.Sources, *ledger.Session) {
	s := sessionOf(texts...)
	return judge.NewSources(s), s
}

func sessionOf(texts ...string) *ledger.Session {
	row := judge.Row{}
	for i, t := range texts {
		row.Evidence = append(row.Evidence, judge.Evidence{Doc: fmt.Sprint("d", i), Text: t})
	}
	return judge.RowSession(row)
}

func passages(windows []judge.Window) []string {
	var out []string
	for i := range windows {
		out = append(out, windows[i].Passage())
	}
	return out
}

const leaveHandbook = `# Staff handbook

The handbook holds for everyone. It was last changed in May.

## Annual leave

Permanent staff are entitled to 30 days of annual leave a year. They may carry over five of them.

Nobody may take leave in the first two months.

## Fees

| Card | Fee 2023 (dinars) | Fee 2024 (dinars) |
|---|---|---|
| Silver | 10 | 12 |
| Gold | 25 | 30 |

## السفر

يعتمد المدير طلبات السفر. وهو يرد عليها خلال أسبوع من تقديمها. ولا تصرف البدلات قبل ذلك.
`

func TestWindowsStandUnderTheirHeading(t *testing.T) {
	x, s := sourcesOf(leaveHandbook)
	for _, c := range []struct{ claim, passage, cited string }{
		{"Permanent staff get 30 days of annual leave.",
			"Staff handbook: Annual leave: Permanent staff are entitled to 30 days of annual leave a year.",
			"Permanent staff are entitled to 30 days of annual leave a year."},
		{"Five may be carried over.",
			"Staff handbook: Annual leave: Permanent staff are entitled to 30 days of annual leave a year. They may carry over five of them.",
			"They may carry over five of them."},
		{"The Gold card cost 40 dinars in 2024.",
			"Staff handbook: Fees: Card Gold, Fee 2023: 25 dinars; Fee 2024: 30 dinars", "| Gold | 25 | 30 |"},
		{"يرد المدير خلال أسبوع.", "Staff handbook: السفر: يعتمد المدير طلبات السفر. وهو يرد عليها خلال أسبوع من تقديمها.", ""},
	} {
		windows := x.Windows(c.claim)
		require.NotEmpty(t, windows, c.claim)
		require.Equal(t, c.passage, windows[0].Passage())
		if cited := text.Slice(s.Chunk(windows[0].Ref).Text, windows[0].Span); c.cited != "" {
			require.Equal(t, c.cited, cited)
		}
	}
	require.Empty(t, x.Windows("Quarterly dividends rose sharply."))
	require.Empty(t, x.Windows(""))
	require.Empty(t, x.Windows("🙂"))
}

// TestWindowsCite checks, on random claims, that every window lies in its chunk, is within the bounds, and overlaps no
// other one.
func TestWindowsCite(t *testing.T) {
	long := strings.Repeat("the supplier, its agents and its servants; and whoever else is bound by clause nine, ", 40) + "shall pay."
	x, s := sourcesOf(leaveHandbook, long, "Short. It is.", strings.Repeat("word ", 3000))
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(leaveHandbook + long)
	for range 300 {
		var claim []string
		for range 1 + random.IntN(20) {
			claim = append(claim, words[random.IntN(len(words))])
		}
		windows := x.Windows(strings.Join(claim, " "))
		require.LessOrEqual(t, len(windows), judge.MostWindows)
		for i, w := range windows {
			require.NotEmpty(t, text.Slice(s.Chunk(w.Ref).Text, w.Span))
			require.LessOrEqual(t, w.Span.End, text.Len(s.Chunk(w.Ref).Text))
			require.LessOrEqual(t, len(strings.Fields(w.Passage())), 130)
			for _, v := range windows[:i] {
				require.GreaterOrEqual(t, v.Score, w.Score)
				require.False(t, v.Ref == w.Ref && v.Span.Start < w.Span.End && w.Span.Start < v.Span.End)
			}
		}
	}
}

// TestShortDocumentIsReadWhole: a search result of a few sentences is one window, also for a claim in other words.
func TestShortDocumentIsReadWhole(t *testing.T) {
	x, _ := sourcesOf("Two women are embracing. One holds a bag.", "First one. Second one. Third one. Fourth one.")
	require.Equal(t, []string{"Two women are embracing. One holds a bag."}, passages(x.Windows("The sisters hug goodbye.")))
	require.Equal(t, []string{"Two women are embracing. One holds a bag."}, passages(x.Windows("A bag.")))
}

// TestOtherTextsChangeNothing: 200 documents that share no word with a claim change none of its windows, whether they
// stand before or behind its own.
func TestOtherTextsChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	foreign := strings.Fields("quartz zebra violin glacier pixel mango turbine falcon ivory nebula xylophone fjord knot كوكب زجاج عصفور")
	other := make([]string, 200)
	for i := range other {
		for range 4 + random.IntN(8) {
			for range 3 + random.IntN(9) {
				other[i] += foreign[random.IntN(len(foreign))] + " "
			}
			other[i] += "was there. It "
		}
	}
	alone := sessionOf(leaveHandbook, "The fee of the Gold card is 30 dinars.")
	x := judge.NewSources(alone)
	among := sessionOf(append(append(other[:100:100], leaveHandbook, "The fee of the Gold card is 30 dinars."), other[100:]...)...)
	y := judge.NewSources(among)
	words := strings.Fields(leaveHandbook)
	for range 100 {
		claim := ""
		for range 2 + random.IntN(12) {
			claim += words[random.IntN(len(words))] + " "
		}
		want, got := x.Windows(claim), y.Windows(claim)
		for i := range want {
			want[i].Ref.Document += 100
		}
		require.Equal(t, want, got, claim)
	}
}
