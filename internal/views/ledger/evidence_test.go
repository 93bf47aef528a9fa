package ledger

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// A word that is marked in a passage is not listed as missing from it.
func TestMissingWordsAreNotMarked(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	s := &ledger.Session{Documents: []ledger.Document{{ID: "d", Status: ledger.Ready, Chunks: []ledger.Chunk{{
		Text: "Every change is reviewed. It takes a day.", Hash: ledger.ChunkDigest("x"),
	}}}}}
	claim := &ledger.Claim{Text: "Each change is approved"}
	shown := func(quote string, kind text.PlacementKind) (Evidence, string) {
		ev := newQuotation(&c, s, claim,
			&ledger.Match{Support: ledger.Partial, Snippet: quote, Missing: []string{"Change", "approved"},
				Quote: text.Placement{Kind: kind}})
		var b bytes.Buffer
		require.NoError(t, missingWords(&c, &ev).Render(context.Background(), &b))
		return ev, b.String()
	}
	ev, html := shown("Every change is reviewed.", text.Exact)
	require.Contains(t, ev.Segments, ui.Segment{Text: "change", Kind: "match"})
	require.Equal(t, []string{"approved"}, ev.Missing)
	require.Contains(t, html, "<dt>Not in this passage</dt>")

	ev, html = shown("No change without approval.", text.NotPlaced)
	require.Contains(t, ev.Segments, ui.Segment{Text: "change", Kind: "match"})
	require.True(t, ev.Invented)
	require.Contains(t, html, "<dt>Not in the source’s own passage</dt>",
		"of the words that are quoted nothing is said")
}

// The second light speaks of the words that the first one speaks of: a quotation that somebody made, a passage that our
// judge found, or the sources where there is neither.
func TestLightsAskAboutTheSameWords(t *testing.T) {
	passage := &ledger.Match{Quote: text.Placement{Kind: text.Exact}}
	for _, x := range []struct {
		name, judge string
		best        *ledger.Match
		en, ar      string
	}{
		{name: "quotation", judge: "given", best: passage, en: "Does the quote support the claim?", ar: "هل يؤيد النص المقتبس الإفادة؟"},
		{name: "passage", judge: "lexical", best: passage, en: "Does the passage support the claim?", ar: "هل يؤيد المقطع الإفادة؟"},
		{name: "neither", judge: "lexical", best: nil, en: "Do the sources support the claim?", ar: "هل تؤيد المصادر الإفادة؟"},
	} {
		t.Run(x.name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": x.en, "ar": x.ar} {
				c := viewtest.ChromeAt(lang, "/")
				light := newLight(&c, &ledger.Entry{Claim: &ledger.Claim{Judge: x.judge}, Best: x.best})
				require.Equal(t, want, light.Then)
			}
		})
	}
}
