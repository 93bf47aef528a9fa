package ledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
)

// TestLeftOutIsBounded holds that a file full of hidden text fills no store: what is beyond the bounds is counted.
func TestLeftOutIsBounded(t *testing.T) {
	t.Parallel()
	var list []ledger.LeftOut
	for i := range 5_000 {
		list = ledger.AddLeftOut(list, ledger.LeftOut{Kind: ledger.Hidden, How: ledger.Tiny, At: i,
			Text: strings.Repeat("word ", 3_000)})
	}
	d := ledger.Document{LeftOut: list}
	hidden, struck := d.CountLeftOut()
	require.Equal(t, 5_000, hidden)
	require.Zero(t, struck)
	size := 0
	for i := range list {
		size += len(list[i].Text)
	}
	require.LessOrEqual(t, size, 25_000)
}

// TestLeftOutKeepsWhatIsStruck holds that a long passage is cut so that what is struck in it stays, with its marks.
func TestLeftOutKeepsWhatIsStruck(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ordinary words ", 200) + "~~forty days~~ thirty days " + strings.Repeat("and so on ", 200)
	list := ledger.AddLeftOut(nil, ledger.LeftOut{Kind: ledger.Struck, How: ledger.StruckOut, Text: long})
	require.Contains(t, list[0].StruckParts(), "forty days")
	require.Less(t, len(list[0].Text), 1_100)
	require.Empty(t, ledger.AddLeftOut(nil, ledger.LeftOut{Kind: ledger.Struck, Text: " ~~ ~~ "}), "no words")
}

// TestClaimRestsOnLeftOut holds which claims say that they rest on text that their source leaves out.
func TestClaimRestsOnLeftOut(t *testing.T) {
	t.Parallel()
	struck := ledger.LeftOut{Kind: ledger.Struck, How: ledger.StruckOut,
		Text: "Visitors pay ~~twelve euros~~ nine euros at the gate."}
	hidden := ledger.LeftOut{Kind: ledger.Hidden, How: ledger.HiddenStyle, Text: "Entry is free for members of the board."}
	for _, c := range []struct {
		name, claim string
		full        bool // a passage carries it
		want        *ledger.LeftOutCheck
	}{
		{name: "the old price", claim: "Visitors pay twelve euros.", full: false, want: &ledger.LeftOutCheck{Document: 0,
			Index: 0, Kind: ledger.Struck}},
		{name: "the price that stands", claim: "Visitors pay nine euros at the gate.", full: false, want: nil},
		{name: "another price", claim: "Visitors pay seven euros.", full: false, want: nil},
		{name: "hidden words", claim: "Members of the board enter free.", full: false, want: nil}, // "enter" is not "entry"
		{name: "hidden words as they are", claim: "Entry is free for members.",
			want: &ledger.LeftOutCheck{Document: 0, Index: 1, Kind: ledger.Hidden}},
		{name: "said elsewhere too", claim: "Entry is free for members.", full: true, want: nil},
		{name: "one word", claim: "Board.", full: false, want: nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &ledger.Session{
				Documents: []ledger.Document{{Status: ledger.Ready, LeftOut: []ledger.LeftOut{struck, hidden},
					Chunks: []ledger.Chunk{{Text: "Visitors pay nine euros at the gate."}}}},
				Claims: []ledger.Claim{{Text: c.claim}},
			}
			if c.full {
				s.Claims[0].Matches = []ledger.Match{{Similarity: 0.95, Support: ledger.Full}}
			}
			checks.Run(s, nil)
			require.Equal(t, c.want, s.Claims[0].Checks.LeftOut)
			flags := ledger.Assess(s, 24).Entries[0].Flags
			if c.want == nil {
				require.NotContains(t, flags, ledger.StruckOrHidden)
			} else {
				require.Contains(t, flags, ledger.StruckOrHidden)
			}
			s.Withdraw(0, "old", s.Run.At)
			require.Nil(t, s.Claims[0].Checks.LeftOut, "a withdrawn document is no reason")
		})
	}
}

// TestPartsHaveChunksOfTheirOwn holds that no chunk joins two parts of a file, and that headings of the body are not
// above a note.
func TestPartsHaveChunksOfTheirOwn(t *testing.T) {
	t.Parallel()
	chunks := ledger.ChunkBlocks([]ledger.Block{
		{Text: "Terms", Level: 1}, {Text: "Rent is due in May."}, {Text: "1 Or in June.", Kind: ledger.FileNote},
		{Text: "Acme Ltd", Kind: ledger.PageFooter},
	}, 0)
	require.Len(t, chunks, 3)
	require.Equal(t, []ledger.PartKind{ledger.Body, ledger.FileNote, ledger.PageFooter},
		[]ledger.PartKind{chunks[0].Kind, chunks[1].Kind, chunks[2].Kind})
	require.Equal(t, []string{"Terms"}, chunks[0].HeadingPath)
	require.Nil(t, chunks[1].HeadingPath)
}
