package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		"", " ", policy, سياسة, "\xff\xfe. A", "a.b. C", "1.\n2)\n- x", "[cite:", "[cite:a1] . [cite:b2]", "``.`",
		"ﷺ ﷺ",
		"e\u0301\u064b\u0301", "5\u066b\u066c", "15% $5,000 – 7", "مئة وخمسون ألف ريال و", "https://", "www.",
		"...…?!؟",
		"a ... b … c", "Dr. \n A.B.C. د. أ.", "\u0640\u0301", "٥٬٠٠٠ ریال", "-−5%", "١.\n", "½ ²", "half'", "'’'",
	} {
		f.Add(s)
	}
	for _, s := range sentenceCases {
		f.Add(s)
	}
}

// ordered checks the invariants of every list of spans: in range, not empty, in order, disjoint.
func ordered(t *testing.T, s string, spans []text.Span) {
	t.Helper()
	n, last, ruler := text.Len(s), 0, text.NewRuler(s)
	for _, sp := range spans {
		require.GreaterOrEqual(t, sp.Start, last)
		require.Greater(t, sp.End, sp.Start)
		require.LessOrEqual(t, sp.End, n)
		require.Equal(t, text.Slice(s, sp), ruler.Slice(sp))
		last = sp.End
	}
}

func FuzzSentences(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		spans := text.Sentences(s)
		ordered(t, s, spans)
		for _, sp := range spans {
			part := text.Slice(s, sp)
			require.NotEmpty(t, part)
			require.Equal(t, strings.TrimSpace(part), part)
		}
	})
}

func FuzzTokens(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		var spans []text.Span
		for _, tok := range text.Tokens(s) {
			spans = append(spans, tok.Span)
			require.Equal(t, text.Slice(s, tok.Span), tok.Text)
			require.NotEmpty(t, tok.Norm)
			require.NotEmpty(t, tok.Stem)
			require.True(t, utf8.ValidString(tok.Norm))
		}
		ordered(t, s, spans)
	})
}

func FuzzFold(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		folded, starts := text.FoldMap(s)
		require.Equal(t, text.Fold(s), folded)
		require.Len(t, starts, text.Len(folded)+1)
		require.True(t, utf8.ValidString(folded))
		require.Equal(t, strings.TrimSpace(folded), folded)
		require.NotContains(t, folded, "  ")
		for i, at := range starts {
			require.True(t, at >= 0 && at <= text.Len(s))
			require.True(t, i == 0 || starts[i-1] <= at)
		}
	})
}

func FuzzPlace(f *testing.F) {
	f.Add("a … b", "a x b")
	f.Add("paid leave", policy)
	f.Add("صلي", "ﷺ")
	f.Add("All permanent employees shall get 15 days of paid annual leave", policy)
	f.Fuzz(func(t *testing.T, quote, source string) {
		p := text.Place(quote, source)
		if p.Kind == text.NotPlaced {
			require.Zero(t, p.Span)
		} else {
			ordered(t, source, []text.Span{p.Span})
		}
		if q := strings.TrimSpace(source); text.Fold(q) != "" && strings.Trim(q, "\"“”„‟«»") == q {
			require.Contains(t, []text.PlacementKind{text.Exact, text.Normalised}, text.Place(q, source).Kind)
		}
	})
}
