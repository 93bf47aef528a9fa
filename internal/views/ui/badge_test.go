package ui

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestStrengthOfABadge(t *testing.T) {
	for confidence, band := range map[float64]int{
		1: 5, 0.85: 5, 0.849: 4, 0.70: 4, 0.69: 3, 0.5: 3, 0.49: 2, 0.3: 2, 0.29: 1, 0: 1,
	} {
		require.Equal(t, band, strength(confidence), confidence)
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

// A model's figure is called a measurement where reviews measured it, and the judge's own estimate otherwise.
func TestWhoseFigureABadgeShows(t *testing.T) {
	for lang, want := range map[string][2]string{
		"en": {"0.89 by the judge’s own estimate", "0.89 as reviews measured this model"},
		"ar": {"بتقدير المُحكِّم 0.89", "بقياس المراجعات لهذا النموذج 0.89"},
	} {
		c := NewChrome(ChromeInput{Lang: lang, Digits: "latn", URL: &url.URL{Path: "/"}})
		e := ledger.Entry{Machine: ledger.Supported, Confidence: 0.89, JudgeSource: ledger.ByModel}
		require.Contains(t, c.MachineBadge(&e).Percent, want[0])
		e.Measured = true
		require.Contains(t, c.MachineBadge(&e).Percent, want[1])
	}
}
