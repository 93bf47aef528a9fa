package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// modelRows are claims with evidence of both languages, long and short, with and without conflicts.
var modelRows = []Row{
	{Claim: "Employees receive 15 days of annual leave",
		Evidence: []Evidence{{Text: "All employees shall receive 15 days of annual leave. Contractors are not entitled to sick leave."}}},
	{Claim: "The bridge was not opened in 1932",
		Evidence: []Evidence{{Text: "The bridge was opened in March 1932 by the mayor."}}},
	{Claim: "يستحق الموظف إجازة مدتها 30 يوماً",
		Evidence: []Evidence{{Text: "يستحق الموظف إجازة سنوية مدتها ٢١ يوماً."}}},
	{Claim: "Pensions are paid quarterly",
		Evidence: []Evidence{{Text: strings.Repeat("Sick leave is granted by the line manager. The pension fund reports every year. ", 40)}}},
}

func TestWeightsAreWhole(t *testing.T) {
	for name, w := range map[string]*Weights{"support": support(), "conflict": conflict()} {
		for k, tree := range w.Trees {
			for i, n := range tree {
				require.False(t, math.IsNaN(n.Value) || math.IsInf(n.Value, 0))
				if n.Left == 0 {
					continue
				}
				require.True(t, n.Left > i && n.Left+1 < len(tree), "%s: tree %d leads on, never back", name, k)
				require.True(t, n.Figure >= 0 && n.Figure < int(featureCount))
			}
		}
		data, err := json.Marshal(w)
		require.NoError(t, err)
		require.Equal(t, w, readModel(data))
	}
	require.Panics(t, func() { readModel([]byte(`{"figures":["coverage"]}`)) })
}

// TestSupportRisesWithCoverage holds the weights of support to the signs of the table: a figure that may only speak for
// a claim never speaks against it.
func TestSupportRisesWithCoverage(t *testing.T) {
	w := support()
	for f, entry := range featureTable {
		if entry.sign == 0 {
			continue
		}
		require.GreaterOrEqual(t, float64(entry.sign)*w.Linear[f], 0.0, entry.name)
		for _, row := range modelRows {
			sample, err := Read(row)
			require.NoError(t, err)
			for _, x := range sample.Passages {
				low, high := vector(x), vector(x)
				high[f] += 0.5
				require.GreaterOrEqual(t, float64(entry.sign)*(w.logOdds(&high)-w.logOdds(&low)), -1e-9, entry.name)
			}
		}
	}
}

func TestSharesAddUp(t *testing.T) {
	for _, w := range []*Weights{support(), conflict()} {
		for _, row := range modelRows {
			sample, err := Read(row)
			require.NoError(t, err)
			require.NotEmpty(t, sample.Passages)
			for _, x := range sample.Passages {
				v := vector(x)
				shares, sum := w.shares(&v)
				for _, s := range shares {
					sum += s
				}
				require.InDelta(t, w.logOdds(&v), sum, 1e-9)
			}
		}
	}
}

func TestBatch(t *testing.T) {
	b := NewBatch(NewLexical(), 3000)
	for i := range 50 {
		row := modelRows[i%len(modelRows)]
		row.ID = fmt.Sprint(i)
		row.Evidence = append([]Evidence{{Doc: "other", Text: fmt.Sprintf("Note %d says nothing.", i/8)}},
			row.Evidence...)
		require.Equal(t, JudgeRow(row, NewLexical()), b.JudgeRow(row))
		require.True(t, b.size <= 3000 || b.order.Len() == 1, "%d bytes kept", b.size)
		require.Len(t, b.kept, b.order.Len())
	}
	row := modelRows[0]
	other := row
	other.Lang = "fr"
	require.Empty(t, b.JudgeRow(row).Unjudged)
	require.NotEmpty(t, b.JudgeRow(other).Unjudged, "the stated language is part of what is kept")
}

func TestArabicRoot(t *testing.T) {
	require.Equal(t, arabicRoot("ارتفاع"), arabicRoot("يرتفع"))
	require.NotEqual(t, arabicRoot("ارتفاع"), arabicRoot("انخفاض"))
	require.Empty(t, arabicRoot("rise"))
	require.Empty(t, arabicRoot("يوم"), "too little is left of it")
}
