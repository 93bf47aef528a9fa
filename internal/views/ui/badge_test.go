package ui

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestBadgeIsSolidByItsFigure(t *testing.T) {
	for _, c := range []struct {
		verdict ledger.Verdict
		figure  float64
		want    bool
	}{
		{ledger.Weak, 0.5, true}, {ledger.Weak, 0.49, false}, {ledger.Contradicted, 0.85, true},
		{ledger.Contradicted, 0.849, false}, {ledger.Supported, 1, false}, {ledger.NotFound, 1, false},
	} {
		require.Equal(t, c.want, solid(c.verdict, c.figure), "%s %v", c.verdict, c.figure)
	}
}

// The smallest part of a bar stays visible, and the widths of all parts add up to the bar.
func TestSmallestPartOfABarIsVisible(t *testing.T) {
	for _, sizes := range [][]int{{1}, {1, 5000}, {5000, 1, 1, 1}, {1, 1, 1}, {3, 4, 0, 5}, {1, 2, 3, 100000, 4}} {
		b := Bar{}
		for _, n := range sizes {
			b.Parts = append(b.Parts, BarPart{Key: "k", X: b.Total, Size: n})
			b.Total += n
		}
		sum := 0
		for i, r := range b.Rects() {
			x, err := strconv.Atoi(r.X)
			require.NoError(t, err)
			require.Equal(t, sum, x, "part %d of %v begins where the one before ends", i, sizes)
			width, err := strconv.Atoi(r.Width)
			require.NoError(t, err)
			require.GreaterOrEqual(t, width, leastPart)
			sum += width
		}
		require.Equal(t, barWidth, sum, sizes)
	}
	require.Empty(t, (&Bar{}).Rects())
}

// A claim shows one figure, with whose it is: never the computed confidence, which no file said (rule L-28).
func TestWhoseFigureABadgeShows(t *testing.T) {
	probability := 0.82
	for lang, want := range map[string][4]string{
		"en": {"81% by the judge’s own estimate", "65% as measured by reviews of this model", "81% in the imported file",
			"Weak, likely 82%"},
		"ar": {"بتقدير المُحكِّم \u206681%\u2069", "بقياس المراجعات لهذا النموذج \u206665%\u2069",
			"بحسب الملف المستورد \u206681%\u2069",
			"ضعيفة السند، مرجَّحة \u206682%\u2069"},
	} {
		c := NewChrome(ChromeInput{Lang: lang, Digits: "latn", URL: &url.URL{Path: "/"}})
		e := ledger.Entry{Machine: ledger.Weak, Confidence: 0.65, Best: &ledger.Match{Similarity: 0.8125}}
		e.JudgeSource = ledger.ByModel
		require.Equal(t, want[0], c.MachineBadge(&e).Percent)
		e.Measured = true
		require.Equal(t, want[1], c.MachineBadge(&e).Percent)
		e.Measured, e.JudgeSource = false, ledger.ByCaller
		require.Equal(t, want[2], c.MachineBadge(&e).Percent)
		e.JudgeSource, e.JudgeProbability = ledger.Calibrated, &probability
		b := c.MachineBadge(&e)
		require.Equal(t, want[3], b.Word+" "+b.Percent)
		require.Equal(t, "badge badge-weak solid", b.Class, "solid by the figure that is shown")
	}
}
