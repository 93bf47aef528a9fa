package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWeighedAUROC shows that with equal weights it is the plain figure, and that a weight counts a row so often.
func TestWeighedAUROC(t *testing.T) {
	p, y := []float64{0.1, 0.4, 0.4, 0.8, 0.9, 0.3}, []bool{false, true, false, true, false, true}
	weighed := func(p []float64, y []bool, weight []float64) float64 {
		return weighedAUROC(p, y, weight, ordered(len(p), func(i int) float64 { return p[i] }))
	}
	plain, _ := auroc(p, y)
	require.InDelta(t, plain, weighed(p, y, []float64{1, 1, 1, 1, 1, 1}), 1e-12)
	twice, _ := auroc(append(slices.Clone(p), p[3]), append(slices.Clone(y), y[3]))
	require.InDelta(t, twice, weighed(p, y, []float64{1, 1, 1, 2, 1, 1}), 1e-12)
}

// TestGains shows that the interval of a difference is paired, repeatable, and wider where rows hang together.
func TestGains(t *testing.T) {
	const rows = 400
	good, poor, y := make([]float64, rows), make([]float64, rows), make([]bool, rows)
	apart, together := make([]int, rows), make([]int, rows)
	for i := range rows {
		y[i] = i%3 == 0
		good[i], poor[i] = float64(i*7919%101)/101, float64(i*7907%103)/103
		if y[i] {
			good[i] += 0.4
		}
		apart[i], together[i] = i, i/20
	}
	width := func(list []float64) float64 {
		slices.Sort(list)
		return list[len(list)-1-len(list)/40] - list[len(list)/40]
	}
	got := gains(good, poor, y, apart)
	require.Equal(t, got, gains(good, poor, y, apart))
	for _, g := range got {
		require.Positive(t, g)
	}
	require.Equal(t, "+0.0 to +0.0", interval(gains(good, good, y, apart)))
	require.Equal(t, "–", interval(gains(good, poor, make([]bool, rows), apart)))
	require.Equal(t, "–", interval(gains(good, poor, y, make([]int, rows))), "one group")
	for i := range y {
		y[i] = i/20%3 == 0 // whole groups are alike
		if y[i] {
			good[i] = poor[i] + float64(i/20%2)
		}
	}
	require.Greater(t, width(gains(good, poor, y, together)), 1.5*width(gains(good, poor, y, apart)))
}
